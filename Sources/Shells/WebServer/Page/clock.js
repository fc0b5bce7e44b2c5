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
