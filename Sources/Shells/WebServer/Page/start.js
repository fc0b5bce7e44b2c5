import { Api } from "./data/api.js";
import { STALE_MS, ServerClock } from "./data/clock.js";
import { doorFromHere } from "./data/door.js";
import { Session } from "./data/session.js";
import { Site } from "./data/site.js";
import { Stream } from "./data/stream.js";
import { forgetAll, keepState, lastState, startWorker } from "./data/worker.js";
import { makeBell } from "./kit/bell.js";
import { make, setData, setText } from "./kit/element.js";
import { askToSignIn, hasUnsaved } from "./kit/form.js";
import { makeOffer } from "./kit/offer.js";
import { TimeOfDay, age, has, speak, t } from "./words/words.js";

/** So often the state is kept for who opens the page without the coordinator, and so long it is waited for, in milliseconds. */
const KEEP_MS = 30_000;
/** The first time, in milliseconds: people look at a page for a moment, and a browser that leaves one waits for nothing. */
const FIRST_KEEP_MS = 1000;
const LAST_MS = 3000;
/** However many messages come, the page is drawn no more often. */
const DRAW_MS = 200;
/** So long it is shown what was done, in milliseconds. */
const TOAST_MS = 6000;
/** So many at once. */
const TOASTS = 3;
/** A screen reader hears of news at most so often. */
const ANNOUNCE_MS = 20000;

const root = document.documentElement;
const part = (id) => document.getElementById(id);

/**
 * Mounts the page that the shell names, and keeps its frame: the state of the line, the age of the data, the banner.
 *
 * A page is a module `pages/{name}.js` with one function, `default (main, tools)`, which fills `main` and returns
 * `{ draw(now) }`: called when anything came and once a second, with the coordinator's time.
 */
class Frame {
    clock = new ServerClock();
    time = new TimeOfDay(root.lang);
    site = new Site();
    session = new Session(root.dataset);
    /** Whoever has no account has none to sign in with again. */
    api = new Api(async () => this.session.account !== "" && askToSignIn(this.api, this.session.account),
        this.session.account);
    #page = { draw() {} };
    #isLinked = false;
    #hasData = false;
    /** When a node was last heard (or, if the server does not say, when anything last changed). */
    #dataAt = null;
    /** When the server last said anything. */
    #updatedAt = null;
    /** What the server says is wrong with itself, one word, or `null`. */
    #fault = null;
    /** Of when the state is that this browser kept, while that is shown; else `null`. */
    #keptAt = null;
    #drawing = null;
    #announced = { text: "", at: -Infinity };
    #streams = [];
    #isLeaving = false;
    #bell = null;
    #toasts = Object.assign(make("div", "toasts"), { ariaHidden: "true" });
    #offer = null;
    /** What stands before the title of the page. */
    #mark = "";

    async open() {
        const [{ default: texts }, { default: mount }] = await Promise.all([
            import(`./words/${root.lang}.js`), import(`./pages/${root.dataset.page}.js`),
        ]);
        speak(root.lang, texts);
        setText(part("footer"), t("shell.footer"));
        if (part("notices") !== null) {
            const toast = (text) => this.#announce(text);
            this.#bell = makeBell(part("notices"), { api: this.api, session: this.session, site: this.site, toast });
        }
        if (this.session.user !== "" && this.session.may("workouts.write", "own")) {
            const say = (text) => setText(part("announcement"), text);
            this.#offer = makeOffer({ api: this.api, session: this.session, site: this.site, say });
            part("main").before(this.#offer.element);
        }
        const drawSoon = () => this.#drawSoon();
        this.#page = await mount(part("main"), {
            site: this.site, clock: this.clock, time: this.time, session: this.session, api: this.api,
            bell: this.#bell,
            /** The parts of the address that the page's path names. */
            params: parameters(root.dataset.path, location.pathname),
            drawSoon,
            announce: (text, options) => this.#announce(text, options),
            follow: (topics) => this.#follow(topics),
        }) ?? this.#page;
        if (root.dataset.topics) {
            part("connection").hidden = false;
            this.#follow(root.dataset.topics.split(","));
            window.addEventListener("online", () => this.#streams.forEach((one) => one.openNow()));
            document.addEventListener("visibilitychange", () => {
                if (document.visibilityState === "visible") this.#streams.forEach((one) => one.openNow());
            });
        }
        startWorker();
        if (root.dataset.topics) {
            setTimeout(() => this.#showLast(), LAST_MS);
            setInterval(() => this.#keep(), KEEP_MS);
            window.addEventListener("pagehide", () => this.#keep());
        }
        window.addEventListener("beforeunload", (event) => {
            if (hasUnsaved()) event.preventDefault();
        });
        document.addEventListener("wants-render", () => this.#draw());
        setInterval(() => this.#draw(), 1000);
        this.#draw();
    }

    /**
     * Follows topics of the site, and returns what ends that. Of those that a page follows beside its own, the line
     * does not matter.
     */
    #follow(topics) {
        const isMain = this.#streams.length === 0;
        const stream = new Stream(
            `/api/v1/stream?topics=${topics.map(encodeURIComponent).join(",")}` +
                (this.session.account === "" ? "" : `&account=${encodeURIComponent(this.session.account)}`),
            (kind, message) => this.#hear(kind, message, isMain),
            (isLinked) => { if (isMain) this.#link(isLinked); });
        this.#streams.push(stream);
        stream.open();
        return () => {
            stream.close();
            this.#streams = this.#streams.filter((one) => one !== stream);
        };
    }

    /** Keeps what is shown, while it is live. */
    #keep() {
        if (this.#isLinked && this.#hasData) keepState(this.session.account, this.clock.now(), this.site.snapshot());
    }

    /** Shows what was kept where the coordinator says nothing. */
    async #showLast() {
        if (this.#hasData) return;
        const last = await lastState(this.session.account);
        if (last === null || this.#hasData) return;
        this.site.replace(last);
        this.site.isKept = true;
        this.clock.set(last.moment);
        this.#updatedAt = this.#keptAt = last.moment;
        this.#hasData = true;
        this.#drawSoon();
    }

    #hear(kind, message, isMain) {
        if (!Number.isFinite(message.server_ms)) return;
        this.clock.set(message.server_ms);
        this.#updatedAt = message.server_ms;
        this.#keptAt = null;
        this.site.isKept = false;
        if (Number.isFinite(message.data_ms)) {
            this.#dataAt = message.data_ms;
        } else if (kind !== "clock") {
            this.#dataAt = message.server_ms;
        }
        if (isMain && kind === "clock") this.#fault = message.fault ?? null;
        if (kind === "snapshot") {
            if (isMain) {
                this.site.replace(message);
                if (!this.#hasData) setTimeout(() => this.#keep(), FIRST_KEEP_MS);
                // What came beside it is gone with the rest.
                if (this.#hasData) this.#streams.slice(1).forEach((one) => one.open());
            } else {
                this.site.add(message);
            }
            this.#hasData = true;
        } else if (kind === "names") {
            this.site.rename(message.names ?? {});
        } else if (kind === "change") {
            this.site.change(message.topic, message.payload);
            if (this.#bell !== null && /\/notify\/[^/]+$/.test(message.topic)) this.#bell.take(message.payload);
        }
        this.#drawSoon();
    }

    #link(isLinked) {
        // Also of a line that never was one: the session may have ended while the page was loading.
        if (!isLinked) this.#leaveIfSignedOut();
        if (this.#isLinked === isLinked) return;
        this.#isLinked = isLinked;
        this.#draw();
    }

    /** Goes to the door if nobody is signed in any more; whoever has typed something signs in where they are. */
    async #leaveIfSignedOut() {
        if (this.#isLeaving) return;
        this.#isLeaving = true;
        try {
            if (!await this.api.isSignedOut()) return;
            if (!hasUnsaved()) {
                await forgetAll();
                location.replace(doorFromHere());
            } else if (await this.api.askToSignIn()) {
                this.#streams.forEach((one) => one.openNow());
            }
        } finally {
            this.#isLeaving = false;
        }
    }

    #drawSoon() {
        this.#drawing ??= setTimeout(() => this.#draw(), DRAW_MS);
    }

    #draw() {
        clearTimeout(this.#drawing);
        this.#drawing = null;
        const now = this.clock.now();
        if (root.dataset.topics) this.#drawLink(now);
        if (root.dataset.topics && (now === null || !this.#hasData)) return;
        this.time.setZone(this.site.own("info")?.tz);
        const name = this.site.name || this.site.id;
        if (name !== "") {
            setText(part("site-name"), name);
            // A long one is cut off.
            part("site-name").title = name;
        }
        if (part("demo") !== null) part("demo").hidden = !this.site.isDemo;
        if (this.time.zone !== "UTC") setText(part("footer"), t("shell.footer-zone", { zone: this.time.zone }));
        this.#page.draw(now);
        if (part("here") !== null) setText(part("here"), document.querySelector("main > h1")?.textContent ?? "");
        this.#offer?.draw(now);
        this.#drawTitle();
    }

    /** What waits for whoever looks stands before the title: the page may be one of many. */
    #drawTitle() {
        // A page may have set another title meanwhile.
        const title = document.title.startsWith(this.#mark) ? document.title.slice(this.#mark.length) : document.title;
        const count = this.#bell?.unread ?? 0;
        const mark = this.#offer?.isOpen ? `${t("offer.mark")} ` : count > 0 ? `(${count}) ` : "";
        this.#mark = mark;
        if (document.title !== mark + title) document.title = mark + title;
    }

    /** The state of the line, the age of the data, and the banner when the line is lost. */
    #drawLink(now) {
        const old = now !== null && this.#dataAt !== null ? Math.max(0, now - this.#dataAt) : null;
        setData(root, { connected: this.#isLinked, stale: old !== null && old > STALE_MS.heard });
        const state = this.#isLinked ? "live" : this.#hasData ? "lost" : "connecting";
        const pill = part("connection");
        setData(pill, { state });
        setText(pill, t(`line.${state}`));
        setText(part("data-age"), old === null ? t("line.no-data") : t("line.age", { age: age(old) }));
        const banner = part("banner");
        const fault = this.#isLinked ? this.#fault : null;
        banner.hidden = !this.#hasData || (this.#isLinked && fault === null);
        if (banner.hidden) return;
        const own = `line.fault.${fault?.replaceAll(" ", "-")}`;
        const key = has(own) ? own : "line.fault";
        if (this.#keptAt !== null && !this.#isLinked) {
            setText(banner, t("line.kept", { time: this.time.full(this.#keptAt) }));
            return;
        }
        setText(banner, this.#isLinked ? t(key, { fault, age: age(old ?? 0) }) :
            t("line.lost-since", { time: this.time.full(this.#updatedAt), age: age(now - this.#updatedAt) }));
    }

    /** What was done stands at the edge for a while: a screen reader is told elsewhere. */
    #showToast(text) {
        const toast = make("p", "toast", text);
        this.#toasts.append(toast);
        if (!this.#toasts.isConnected) document.body.append(this.#toasts);
        while (this.#toasts.childElementCount > TOASTS) this.#toasts.firstElementChild.remove();
        setTimeout(() => toast.remove(), TOAST_MS);
    }

    /**
     * Says something to screen readers: if it is new and the last word is some time ago, or at once what `isUrgent`,
     * such as that something was done.
     */
    #announce(text, { isUrgent = true } = {}) {
        const now = performance.now();
        if (isUrgent) {
            this.#showToast(text);
            part("announcement").textContent = "";
        } else if (text === this.#announced.text || now - this.#announced.at < ANNOUNCE_MS) {
            return;
        }
        this.#announced = { text, at: now };
        setText(part("announcement"), text);
    }
}

/** The parts of an address that a path such as `/people/{user}` names. */
function parameters(path, address) {
    const parts = address.split("/").map(decodeURIComponent);
    return Object.fromEntries(path.split("/").flatMap((name, index) =>
        name.startsWith("{") ? [[name.slice(1, -1), parts[index] ?? ""]] : []));
}

try {
    await new Frame().open();
} catch (error) {
    // Without its modules nothing can be said in the language of the page.
    part("main").append(make("p", "fault", String(error)));
    throw error;
}
