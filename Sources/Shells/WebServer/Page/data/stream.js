/** The server sends the time every 2 s; after so much silence the line is dead. */
const SILENCE_MS = 4500;
/** Between attempts of our own, doubling up to the second figure. */
const WAIT_MS = [1000, 15000];

/**
 * Follows the server's events, for ever.
 *
 * `EventSource` reconnects by itself after most failures, but gives up on some (an error status,
 * in some browsers a refused connection) and never notices a line that merely went silent.
 * Both are handled here, so that a page left open overnight is live in the morning.
 */
export class Stream {
    #url;
    #heard;
    #linked;
    #source = null;
    #wait = WAIT_MS[0];
    #retry = null;
    #silence = null;

    /**
     * @param {string} url
     * @param {(kind: string, message: object) => void} heard `snapshot`, `resumed`, `names`,
     *     `change` or `clock`.
     * @param {(isLinked: boolean) => void} linked Whether what is shown is live.
     */
    constructor(url, heard, linked) {
        this.#url = url;
        this.#heard = heard;
        this.#linked = linked;
    }

    open() {
        clearTimeout(this.#retry);
        this.#retry = null;
        this.#source?.close();
        const source = new EventSource(this.#url);
        this.#source = source;
        this.#listenForSilence();
        for (const kind of ["snapshot", "resumed", "names", "change", "clock"]) {
            source.addEventListener(kind, (event) => this.#receive(source, kind, event.data));
        }
        source.addEventListener("error", () => {
            if (source !== this.#source) return;
            this.#linked(false);
            if (source.readyState === EventSource.CLOSED) this.#openLater();
        });
    }

    /** Ends it. */
    close() {
        clearTimeout(this.#retry);
        clearTimeout(this.#silence);
        this.#source?.close();
        this.#source = null;
    }

    /** The network or the page came back: no reason to wait any longer. */
    openNow() {
        if (this.#retry !== null) this.open();
    }

    #receive(source, kind, data) {
        if (source !== this.#source) return;
        let message;
        try {
            message = JSON.parse(data);
        } catch {
            console.warn("an event that is not JSON was passed over");
            return;
        }
        this.#listenForSilence();
        if (kind === "snapshot" || kind === "resumed") {
            this.#wait = WAIT_MS[0];
            this.#linked(true);
        }
        this.#heard(kind, message);
    }

    #openLater() {
        clearTimeout(this.#silence);
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.open(), this.#wait);
        this.#wait = Math.min(this.#wait * 2, WAIT_MS[1]);
    }

    #listenForSilence() {
        clearTimeout(this.#silence);
        this.#silence = setTimeout(() => {
            this.#linked(false);
            this.open();
        }, SILENCE_MS);
    }
}
