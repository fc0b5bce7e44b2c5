import { Refusal, newKey } from "./api.js";

/** Between attempts, doubling up to the second figure, in milliseconds. */
const WAIT_MS = [2_000, 30_000];
/** The revision of a set that nobody has changed. */
const FIRST_REVISION = 1;
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

    /**
     * @param {(workout: number, answer: object) => void} sent Called with each answer.
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
        try {
            let row = this.#next();
            while (row !== undefined) {
                if (!await this.#send(row)) return;
                row = this.#next();
            }
            this.#wait = WAIT_MS[0];
        } finally {
            this.#isBusy = false;
        }
    }

    /** The network is back, or somebody asks: no reason to wait any longer. */
    flushNow() {
        this.#wait = WAIT_MS[0];
        return this.flush();
    }

    #next() {
        return this.#box.rows().find(({ fault }) => fault === null);
    }

    /** Whether the server has answered. */
    async #send(row) {
        const path = `/api/v1/workouts/${row.workout}/sets`;
        try {
            if (!row.isTried) await this.#box.put({ ...row, isTried: true });
            const { data } = await this.#api.ask("POST", path, { body: row.set });
            return await this.#done(row, data);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            if (error.code === "idempotency_mismatch" && row.isChanged) return this.#change(row, path);
            return this.#refused(row, error);
        }
    }

    /** The set came through as it was before somebody corrected it here. */
    async #change(row, path) {
        const { id, ...members } = row.set;
        try {
            const body = { ...NOTHING, ...members, rev: FIRST_REVISION };
            const { data } = await this.#api.ask("PATCH", `${path}/${id}`, { body });
            return await this.#done(row, data);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            return this.#refused(row, error);
        }
    }

    async #done(row, data) {
        // What was corrected while it was on its way is sent once more.
        if (this.#box.row(row.id)?.set === row.set) await this.#box.remove(row.id);
        this.#sent(row.workout, data);
        return true;
    }

    async #refused(row, error) {
        // Without an answer, without a session, and while the server cannot: later.
        if (error.status < 400 || error.status >= 500 || error.status === 401) {
            this.#retry = setTimeout(() => this.flush(), this.#wait);
            this.#wait = Math.min(this.#wait * 2, WAIT_MS[1]);
            return false;
        }
        const now = this.#box.row(row.id);
        // What was corrected meanwhile is sent, whatever was said of the set before.
        if (now?.set === row.set) {
            await this.#box.put({ ...now, fault: { code: error.code, detail: error.detail } });
        }
        this.#changed();
        return true;
    }
}
