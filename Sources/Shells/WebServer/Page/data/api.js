/** Why the server did not do what it was asked. */
export class Refusal extends Error {
    /** What it is called in the list of codes; `not_loaded` or `unreachable` if no answer came. */
    code;
    /** The server's own words, in English. */
    detail;
    /** The HTTP status, 0 without an answer. */
    status;
    /** After how many seconds to ask again, where the server says so; else `null`. */
    retryAfter;

    constructor(code, detail = "", status = 0, retryAfter = null) {
        super(`${code}: ${detail}`);
        this.code = code;
        this.detail = detail;
        this.status = status;
        this.retryAfter = retryAfter;
    }
}

/** A key that nobody else makes: a request that is sent again with it is done once. */
export function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Asks the server for rows, and to change them. The only caller of `fetch`.
 *
 * When the session is over, whoever looks may sign in again in place, and what was asked is asked once more.
 */
export class Api {
    #signIn;
    #isAsked = null;
    /** For whom everything is asked: not for who signed in at another page of this browser since. */
    #whose;

    /**
     * @param {() => Promise<boolean>} signIn Has somebody sign in; whether they did.
     * @param {string} account Whose page it is; empty if nobody's.
     */
    constructor(signIn = async () => false, account = "") {
        this.#signIn = signIn;
        this.#whose = account === "" ? {} : { "Beaconmesh-Account": account };
    }

    /** The answer to GET, as an object. */
    async get(path) {
        return (await this.ask("GET", path)).data;
    }

    /** Every row of a list that comes in pages; `rows` is the member of the answer that holds them. */
    async all(path, rows) {
        const found = [];
        let cursor = null;
        do {
            const more = cursor === null ? "" : `${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
            const answer = await this.get(path + more);
            found.push(...answer[rows]);
            cursor = answer.next ?? null;
        } while (cursor !== null);
        return found;
    }

    /**
     * Asks for something. Throws a `Refusal`.
     *
     * @param {{ body?: object, key?: string, ifMatch?: string, isDoor?: boolean }} options `isDoor`: an answer that
     *     nobody is signed in is not a reason to ask them to.
     * @returns {Promise<{ data: object, etag: string | null }>} The answer, `null` if it has no content.
     */
    async ask(method, path, { body, key, ifMatch, isDoor = false } = {}) {
        let answer = await this.#fetch(method, path, { body, key, ifMatch });
        if (answer.status === 401 && !isDoor && await this.askToSignIn()) {
            answer = await this.#fetch(method, path, { body, key, ifMatch });
        }
        if (!answer.ok) {
            const problem = await answer.json().catch(() => ({}));
            const wait = answer.headers.get("Retry-After");
            throw new Refusal(problem.code ?? "internal", problem.detail ?? "", answer.status,
                wait === null ? null : Number(wait));
        }
        try {
            const text = await answer.text();
            return { data: text === "" ? null : JSON.parse(text), etag: answer.headers.get("ETag") };
        } catch {
            // The line was lost half-way, or somebody between answers with a page.
            throw new Refusal(method === "GET" ? "not_loaded" : "unreachable");
        }
    }

    /** Whether whose page it is may not look any more. */
    async isSignedOut() {
        const answer = await fetch("/api/v1/snapshot?topics=info", { method: "HEAD", headers: this.#whose })
            .catch(() => null);
        return answer?.status === 401;
    }

    /** How this page is answered now: `same`, of another `release`, or not at all, as its session is `over`; `null`: unknown. */
    async renewal() {
        const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } }).catch(() => null);
        if (answer === null || !(answer.ok || answer.redirected)) return null;
        if (answer.redirected) return "over";
        // Files of another release stand at other addresses.
        const files = new URL("..", import.meta.url).pathname;
        const text = await answer.text().catch(() => files);
        return text.includes(files) ? "same" : "release";
    }

    async #fetch(method, path, { body, key, ifMatch }) {
        const headers = { ...this.#whose };
        if (body !== undefined) headers["Content-Type"] = "application/json";
        if (key !== undefined) headers["Idempotency-Key"] = key;
        if (ifMatch) headers["If-Match"] = ifMatch;
        try {
            return await fetch(path, {
                method, headers, body: body === undefined ? undefined : JSON.stringify(body),
            });
        } catch {
            throw new Refusal(method === "GET" ? "not_loaded" : "unreachable");
        }
    }

    /** Has somebody sign in again; whoever finds the session over meanwhile waits for the same answer. */
    async askToSignIn() {
        this.#isAsked ??= this.#signIn().finally(() => {
            this.#isAsked = null;
        });
        return this.#isAsked;
    }
}
