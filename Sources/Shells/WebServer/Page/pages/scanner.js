import { Refusal } from "../data/api.js";
import { make, makeLink, setName, setText, showList } from "../kit/element.js";
import { fillChoice, makeButton, makeChoice, makeSearch, refusalWords } from "../kit/form.js";
import { compare, has, number, t } from "../words/words.js";
import { level } from "./devices.js";

/** So often it is asked, in ms. */
const LOOK_MS = 500;
/** So many are shown, the newest first; and kept while it is paused. */
const SHOWN = 100;
const KEPT = 1000;

/**
 * Every advertisement that a node hears, as it hears it: while this page is open and for half a minute after it. Of
 * strangers' devices neither address nor data are told, unless whoever may read people asks for it.
 */
export default function scanner(main, { site, session, api, time, clock, drawSoon }) {
    const node = makeChoice("scanner-node", t("scanner.node"), () => start(node.input.value));
    const search = makeSearch(t("scanner.search"), drawSoon);
    const whole = make("input");
    whole.type = "checkbox";
    whole.id = "scanner-all";
    whole.addEventListener("change", () => start(chosen));
    const wholeWords = make("label", "", t("scanner.all"));
    wholeWords.htmlFor = whole.id;
    const tick = make("div", "tick", whole, wholeWords);
    tick.hidden = !session.may("people.read");
    const pause = makeButton("", () => {
        isPaused = !isPaused;
        drawSoon();
    }, "go");
    pause.id = "scanner-pause";
    const stop = makeButton(t("scanner.stop"), end, "quiet");
    stop.id = "scanner-stop";
    const state = make("p", "detail");
    state.id = "scanner-state";
    state.setAttribute("role", "status");
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const list = make("ol", "scanner-list");
    list.id = "scanner-rows";
    const none = make("p", "empty-list");
    const hint = make("p", "detail", t("scanner.all-hint"));
    hint.hidden = tick.hidden;
    main.append(make("p", "detail", t("scanner.lead")), hint, make("div", "filter", node.element, search.element, tick),
        make("div", "buttons", pause, stop, makeLink("/devices", t("device.all"))), state, fault, list, none);

    let chosen = new URLSearchParams(location.search).get("node") ?? "";
    let isRunning = chosen !== "";
    let isPaused = false;
    let isAsking = false;
    /** The newest last. */
    let heard = [];
    /** What is shown while it is paused. */
    let frozen = [];
    let after = 0;
    let until = null;
    let leftOut = 0;
    let total = 0;

    function start(id) {
        chosen = id;
        history.replaceState(null, "", id === "" ? "/scanner" : `/scanner?node=${encodeURIComponent(id)}`);
        [heard, frozen, after, until, leftOut, total] = [[], [], 0, null, 0, 0];
        isRunning = id !== "";
        isPaused = false;
        look();
        drawSoon();
    }

    async function end() {
        isRunning = false;
        until = null;
        await attempt(() => api.ask("DELETE", `/api/v1/nodes/${encodeURIComponent(chosen)}/raw`));
        drawSoon();
    }

    async function look() {
        if (!isRunning || isAsking || chosen === "") return;
        isAsking = true;
        const asked = chosen;
        await attempt(async () => {
            const { data } = await api.ask("POST", `/api/v1/nodes/${encodeURIComponent(asked)}/raw`, {
                body: { after, ...(whole.checked ? { all: true } : {}) },
            });
            if (asked !== chosen || !isRunning) return;
            [until, leftOut] = [data.until_ms, data.left_out];
            total += data.advertisements.length;
            heard = heard.concat(data.advertisements).slice(-KEPT);
            after = heard.at(-1)?.number ?? after;
        });
        isAsking = false;
        drawSoon();
    }

    async function attempt(act) {
        try {
            await act();
            fault.hidden = true;
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(fault, refusalWords(error).filter(Boolean).join(" "));
            fault.hidden = false;
        }
    }

    setInterval(() => {
        if (document.visibilityState === "visible") look();
    }, LOOK_MS);
    look();

    return {
        draw(now) {
            fillChoice(node.input, [["", t("setup.none")], ...site.listed("nodes").map((id) => [id, site.nameOf("nodes", id)])
                .sort((a, b) => compare(a[1], b[1]))]);
            node.input.value = chosen;
            pause.hidden = stop.hidden = !isRunning;
            setText(pause, t(isPaused ? "scanner.go-on" : "scanner.pause"));
            if (!isPaused) frozen = heard;
            const found = frozen.filter((one) => search.isEmpty() || wordsOf(one).some((word) => search.finds(word)));
            const shown = found.slice(-SHOWN).reverse();
            const left = until === null || now === null ? null : Math.max(0, Math.round((until - (clock.now() ?? now)) / 1000));
            setText(state, !isRunning ? (chosen === "" ? "" : t("scanner.stopped")) : [t(isPaused ? "scanner.paused" : "scanner.running", { n: number(total) }),
                left === null ? "" : t("scanner.left", { n: left }),
                leftOut > 0 ? t("scanner.left-out", { n: number(leftOut) }) : ""].filter(Boolean).join(" · "));
            none.hidden = shown.length > 0 || !isRunning && chosen !== "";
            setText(none, chosen === "" ? t("scanner.choose") : isRunning && search.isEmpty() ? t("scanner.nothing") :
                isRunning ? t("live.not-found") : "");
            showList(list, shown, (one) => String(one.number), makeLine, (line, one) => update(line, one, time));
        },
    };
}

/** What it can be found by. */
function wordsOf({ addr, name, identity, formats, data }) {
    return [addr, address(addr), name, identity, data, ...formats].filter((word) => typeof word === "string");
}

/** `c0:ff:ee:00:00:01`; what is withheld stays so. */
function address(text) {
    return text.startsWith("x") ? `…${text.slice(8)}` : text.match(/../g).join(":");
}

function makeLine() {
    return make("li", "scanner-line", make("span", "detail"), make("b", "scanner-level"), make("code"), make("bdi"),
        make("code", "detail scanner-data"));
}

function update(line, one, time) {
    const [at, strength, from, what, data] = line.children;
    setText(at, `${time.clock(one.t_ms)}:${String(Math.floor(one.t_ms / 1000) % 60).padStart(2, "0")}`);
    setText(strength, one.rssi === undefined ? "" : level(one.rssi));
    setText(from, address(one.addr));
    setName(what, [one.name ?? "", ...one.formats.map((format) =>
        has(`devices.kind.${format}`) ? t(`devices.kind.${format}`) : format), one.event].filter(Boolean).join(" · "));
    setText(data, one.data ?? t("scanner.withheld"));
}
