/**
 * The coordinator's clock, carried on between its messages by this machine's monotonic one.
 * The wall clock of the browser is never asked: it may be minutes wrong.
 */
export class ServerClock {
    #server = null;
    #local = 0;

    /** The coordinator said that it is `milliseconds` since the Unix epoch. */
    set(milliseconds) {
        this.#server = milliseconds;
        this.#local = performance.now();
    }

    /** The coordinator's time in Unix milliseconds, or `null` before it was ever heard. */
    now() {
        return this.#server === null ? null : this.#server + performance.now() - this.#local;
    }
}

/** How often at least each is told to a page, in milliseconds; a test compares with the programs. */
const EVERY_MS = {
    /** The coordinator's time, and when it last heard of a node. */
    clock: 2000,
    /** That a node is there. */
    heard: 2000,
    /** Where somebody is, and when they were last heard. */
    presence: 5000,
    /** Which nodes hear a beacon. */
    beacon: 10000,
    /** How a node fares. */
    health: 30000,
};

/** From this age on what was told is shown as old: three tellings are missing. In milliseconds. */
export const STALE_MS = Object.fromEntries(
    Object.entries(EVERY_MS).map(([what, every]) => [what, 3 * every]));
