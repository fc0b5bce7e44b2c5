import { Refusal, newKey } from "../data/api.js";
import { keep, kept } from "../data/kept.js";
import { tendBoard } from "../kit/board.js";
import { openForm } from "../kit/box.js";
import { make, setData, setSentence, setText, showList } from "../kit/element.js";
import { makeButton, makeSearch, refusalWords } from "../kit/form.js";
import { sentence, t } from "../words/words.js";

/** As many digits has a PIN, and as many letters of a name are looked for. */
const DIGITS = 6;
const LEAST = 2;
/** Who does nothing any more has gone, in milliseconds; and so long it is read what was done. */
const IDLE_MS = 20_000;
const READ_MS = 6000;
/** How often it is asked who holds a tag to the node, and for how long whoever has just been dealt with is not asked again. */
const NEAR_MS = 1000;
const AGAIN_MS = 15_000;
/** The name that this browser keeps its node under. */
const KEPT = "kiosk-node";

/** A tablet at the door: whoever holds their tag to the node, types their PIN or finds their name checks in or out. */
export default function kiosk(main, tools) {
    const { site, api, time, clock, announce } = tools;
    const board = tendBoard(api);
    const root = document.documentElement;
    let node = kept(KEPT)[0] ?? null;
    let pin = "";
    let turn = 0;
    let goesBack = null;
    /** Whom the tag was of that was dealt with last, and when. */
    let last = { user: "", at: -Infinity };

    const now = make("p", "kiosk-clock");
    const hold = make("p", "kiosk-hold", t("kiosk.hold"));
    const dots = make("p", "kiosk-dots");
    dots.setAttribute("role", "status");
    const pad = make("div", "kiosk-pad", ...[1, 2, 3, 4, 5, 6, 7, 8, 9, "clear", 0, "back"].map((key) =>
        typeof key === "number" ? makeButton(String(key), () => type(String(key))) :
            makeButton(key === "clear" ? "✕" : "⌫", () => (key === "clear" ? showPin("") : showPin(pin.slice(0, -1))), "quiet")));
    pad.children[9].setAttribute("aria-label", t("kiosk.clear"));
    pad.children[11].setAttribute("aria-label", t("kiosk.back"));
    const search = makeSearch(t("kiosk.search"), () => find());
    const found = make("ul", "kiosk-found");
    const nobody = make("p", "detail");
    nobody.setAttribute("role", "status");
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const setUp = makeButton(t("kiosk.set-up"), chooseNode, "quiet");
    setUp.id = "kiosk-set-up";
    const start = make("div", "kiosk-start", hold,
        make("section", "panel", make("h2", "", t("kiosk.pin")), dots, pad),
        make("section", "panel", make("h2", "", t("kiosk.name")), search.element, nobody, found));
    const card = make("section", "kiosk-card panel");
    card.id = "kiosk-card";
    card.setAttribute("aria-live", "assertive");
    card.hidden = true;
    const offline = make("p", "kiosk-offline", t("kiosk.offline"));
    offline.setAttribute("role", "alert");
    offline.hidden = true;
    main.append(now, offline, fault, start, card, make("div", "buttons", setUp));
    main.addEventListener("pointerdown", wait);
    main.addEventListener("input", wait);
    window.addEventListener("keydown", (event) => {
        // A keyboard with digits, or a reader of codes, that is plugged in.
        if (event.target instanceof HTMLInputElement || start.hidden) return;
        if (/^\d$/.test(event.key)) type(event.key);
        if (event.key === "Backspace") showPin(pin.slice(0, -1));
    });
    setInterval(lookForTag, NEAR_MS);
    showPin("");

    function isOnline() {
        return root.dataset.connected === "true";
    }

    /** Back to the beginning, so that nobody sees what the one before typed. */
    function reset() {
        turn += 1;
        clearTimeout(goesBack);
        last.at = performance.now();
        card.hidden = true;
        start.hidden = false;
        fault.hidden = true;
        showPin("");
        search.element.value = "";
        showFound([]);
        setText(nobody, "");
    }

    function wait() {
        clearTimeout(goesBack);
        goesBack = setTimeout(reset, IDLE_MS);
    }

    function say(error) {
        if (!(error instanceof Refusal)) throw error;
        setText(fault, error.retryAfter === null ? refusalWords(error)[0] : t("kiosk.wait", { n: error.retryAfter }));
        fault.hidden = false;
    }

    function showPin(text) {
        pin = text;
        setText(dots, "●".repeat(pin.length) + "○".repeat(DIGITS - pin.length));
        dots.setAttribute("aria-label", t("kiosk.typed", { n: pin.length }));
    }

    async function type(digit) {
        if (pin.length >= DIGITS) return;
        wait();
        fault.hidden = true;
        showPin(pin + digit);
        if (pin.length < DIGITS) return;
        const own = ++turn;
        try {
            const { data } = await api.ask("POST", "/api/v1/kiosk/pin", { body: { pin } });
            if (own === turn) show(data);
        } catch (error) {
            if (own !== turn) return;
            showPin("");
            if (error.status === 404) {
                setText(fault, t("kiosk.no-such-pin"));
                fault.hidden = false;
            } else {
                say(error);
            }
        }
    }

    async function find() {
        const name = search.element.value.trim();
        const own = ++turn;
        fault.hidden = true;
        if (name.length < LEAST) {
            showFound([]);
            setText(nobody, "");
            return;
        }
        try {
            const { people } = await api.get(`/api/v1/kiosk/people?name=${encodeURIComponent(name)}`);
            if (own !== turn) return;
            showFound(people);
            setText(nobody, people.length === 0 ? t("kiosk.nobody") : "");
        } catch (error) {
            if (own === turn) say(error);
        }
    }

    function showFound(people) {
        showList(found, people, ({ user, name }) => `${user} ${name}`, (one) =>
            make("li", "", makeButton("", () => show(one))), (item, one) => setText(item.firstElementChild, one.name));
    }

    /** Who holds their tag there is asked what they want; nothing happens by itself, as people pass by. */
    async function lookForTag() {
        if (node === null || start.hidden || pin !== "" || !search.isEmpty() || !isOnline()) return;
        const own = turn;
        try {
            const who = await api.get(`/api/v1/kiosk/near?node=${encodeURIComponent(node)}`);
            // Whoever types meanwhile is served first.
            if (own !== turn || who.user === undefined || start.hidden || pin !== "" || !search.isEmpty()) return;
            if (who.user === last.user && performance.now() - last.at < AGAIN_MS) {
                // It lies there still: that is nobody who comes.
                last.at = performance.now();
                return;
            }
            show(who, true);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
        }
    }

    /** Asks somebody what they want: of who was found by name nobody else learns whether they are in. */
    function show(who, isHeld = false) {
        turn += 1;
        if (isHeld) last = { user: who.user, at: performance.now() };
        fault.hidden = true;
        const act = (verb) => {
            const key = newKey();
            const button = makeButton(t(`kiosk.${verb}`), () => check(who, verb, key, card), "go");
            button.dataset.verb = verb;
            return button;
        };
        const verbs = who.in === undefined ? ["check-in", "check-out"] : [who.in ? "check-out" : "check-in"];
        const title = make("h2");
        setSentence(title, sentence("kiosk.hello", { name: { name: who.name } }));
        const said = make("p", "fault");
        said.hidden = true;
        setData(card, { done: null });
        card.replaceChildren(title, make("div", "buttons", ...verbs.map(act), makeButton(t("form.cancel"), reset, "quiet")), said);
        start.hidden = true;
        card.hidden = false;
        card.querySelector("button").focus();
        wait();
    }

    async function check(who, verb, key, place) {
        const own = ++turn;
        const buttons = [...place.querySelectorAll("button")];
        for (const button of buttons) button.disabled = true;
        clearTimeout(goesBack);
        const said = place.querySelector(".fault");
        said.hidden = true;
        try {
            const { data } = await api.ask("POST", `/api/v1/attendance/${verb}`, { body: { user: who.user }, key });
            if (own !== turn) return;
            const at = verb === "check-in" ? data.check_in_ms : data.check_out_ms;
            const title = make("h2");
            setSentence(title, sentence(`kiosk.done.${verb}`, { name: { name: who.name } }));
            setData(place, { done: verb });
            place.replaceChildren(make("p", "kiosk-tick", "✓"), title,
                make("p", "kiosk-time", time.short(at ?? clock.now(), clock.now())), makeButton(t("kiosk.next"), reset));
            announce(title.textContent);
            goesBack = setTimeout(reset, READ_MS);
        } catch (error) {
            if (own !== turn) return;
            if (!(error instanceof Refusal)) throw error;
            setText(said, has(verb, error) ?? refusalWords(error)[0]);
            said.hidden = false;
            for (const button of buttons) button.disabled = false;
            wait();
        }
    }

    /** Which node is beside the tablet; kept by this browser. */
    async function chooseNode() {
        let nodes;
        try {
            ({ nodes } = await api.get("/api/v1/nodes?limit=500"));
        } catch (error) {
            say(error);
            return;
        }
        openForm(t("kiosk.set-up"), t("kiosk.set-up-lead"), {
            go: t("account.keep"),
            fields: [{ name: "node", label: t("kiosk.node"), kind: "choice", value: node ?? "",
                options: [["", t("kiosk.no-node")], ...nodes.map((one) => [one.id, one.name])] }],
            send: async ({ node: chosen }) => {
                node = chosen === "" ? null : chosen;
                keep(KEPT, node === null ? [] : [node]);
            },
        });
    }

    return {
        draw(moment) {
            board.draw();
            setText(now, site.isKept ? "" : time.clock(moment));
            hold.hidden = node === null;
            offline.hidden = isOnline();
            for (const button of start.querySelectorAll("button")) button.disabled = !isOnline();
        },
    };
}

/** What was asked for is so already. */
function has(verb, error) {
    if (error.code === "already_in") return t("kiosk.already-in");
    if (error.code === "not_in") return t("kiosk.not-in");
    return null;
}
