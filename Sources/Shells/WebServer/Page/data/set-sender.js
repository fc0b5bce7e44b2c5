import { Refusal, newKey } from "./api.js";

/** Between attempts, doubling up to the second figure, in milliseconds. */
const WAIT_MS = [2_000, 30_000];
/** So many sets one after the other that the server could not store, and it is left in peace for a while. */
const MOST_LATE = 3;
/** Refusals that say nothing against a set: what is sent again may be stored. */
const FOR_NOW = ["in_doubt", "rev_conflict"];
/** What a set may be without: `null` takes it away. */
const NOTHING = { weight_kg: null, rir: null, note: null };

/** An id for a set, as only this set has. */
export function newSetID() {
    const hex = newKey().split("");
    // Version 4, variant 1 of RFC 9562.
    hex[12] = "4";
    hex[16] = "89ab"[parseInt(hex[16], 16) % 4];
    const text = hex.join("");
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}

/**
 * Sends what a box keeps, in the order in which the sets were done, until the server has it all. The server knows each
 * set by its id: what is sent twice is stored once.
 */
export class SetSender {
    #api;
    #box;
    #sent;
    #changed;
    #isBusy = false;
    #wait = WAIT_MS[0];
    #retry = null;
    /** The ids of sets that the server could not store so far: others go first. */
    #late = new Set();

    /**
     * @param {(row: object, answer: object | null) => void} sent Called with each row that the server has, and its
     *     answer: the set with its revision and records, or `null` when it is deleted. Of a row that was sent before
     *     the answer may be what was said then.
     * @param {() => void} changed Called when a row was refused.
     */
    constructor(api, box, sent, changed) {
        this.#api = api;
        this.#box = box;
        this.#sent = sent;
        this.#changed = changed;
    }

    /** Sends what is not refused yet. While that is under way, what is put in meanwhile is sent, too. */
    async flush() {
        if (this.#isBusy) return;
        this.#isBusy = true;
        clearTimeout(this.#retry);
        // What the server could not store now must not hold up the sets behind it.
        const refused = new Set();
        const next = () => {
            const rows = this.#box.rows().filter(({ id, fault }) => fault === null && !refused.has(id));
            return rows.find(({ id }) => !this.#late.has(id)) ?? rows[0];
        };
        let inARow = 0;
        try {
            for (let row = next(); row !== undefined && inARow < MOST_LATE; row = next()) {
                const refusal = await this.#send(row);
                if (refusal === null) {
                    this.#late.delete(row.id);
                    inARow = 0;
                    continue;
                }
                if (refusal.status === 401) {
                    this.#retry = setTimeout(() => this.#whenSignedIn(), WAIT_MS[1]);
                    return;
                }
                refused.add(row.id);
                this.#late.add(row.id);
                inARow += 1;
                if (refusal.status < 400 || refusal.retryAfter !== null) break;
            }
            if (refused.size === 0) {
                this.#wait = WAIT_MS[0];
            } else {
                this.#retry = setTimeout(() => this.flush(), this.#wait);
                this.#wait = Math.min(this.#wait * 2, WAIT_MS[1]);
            }
        } finally {
            this.#isBusy = false;
        }
    }

    /** The network is back, or somebody asks: no reason to wait any longer. */
    flushNow() {
        this.#wait = WAIT_MS[0];
        return this.flush();
    }

    /** Goes on once somebody is signed in, without asking them to. */
    async #whenSignedIn() {
        if (await this.#api.isSignedOut()) {
            this.#retry = setTimeout(() => this.#whenSignedIn(), WAIT_MS[1]);
        } else {
            await this.flush();
        }
    }

    /** Sends a row; returns why it is to be sent again later, `null` if it is not. */
    async #send(given) {
        // What is changed or deleted while it is on its way is another row, which is sent after it.
        const row = given.isTried ? given : await this.#box.put({ ...given, isTried: true });
        const isStill = () => this.#box.row(row.id) === row;
        try {
            const data = row.isDeleted ? await this.#delete(row) : await this.#store(row);
            // In this order: what is no longer kept here is known to be there.
            this.#sent(given, data);
            if (isStill()) await this.#box.remove(row.id);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            const isForNow = error.status < 400 || error.status >= 500 || error.status === 401 ||
                error.retryAfter !== null || FOR_NOW.includes(error.code);
            if (isForNow) return error;
            if (isStill()) await this.#box.put({ ...row, fault: { code: error.code, detail: error.detail } });
            this.#changed();
        }
        return null;
    }

    async #store(row) {
        const path = `/api/v1/workouts/${row.workout}/sets`;
        if (row.isChanged) {
            // It may have come through as it was before somebody corrected it here, once or more often.
            const { workout } = await this.#api.get(`/api/v1/workouts/${row.workout}`);
            const stored = workout.sets.find(({ id }) => id === row.id);
            if (stored !== undefined) {
                const { id, ...members } = row.set;
                const body = { ...NOTHING, ...members, rev: stored.rev };
                return (await this.#api.ask("PATCH", `${path}/${id}`, { body })).data;
            }
        }
        return (await this.#api.ask("POST", path, { body: row.set })).data;
    }

    async #delete(row) {
        try {
            await this.#api.ask("DELETE", `/api/v1/workouts/${row.workout}/sets/${row.id}`);
        } catch (error) {
            // It never came through.
            if (!(error instanceof Refusal) || error.code !== "not_found") throw error;
        }
        return null;
    }
}
