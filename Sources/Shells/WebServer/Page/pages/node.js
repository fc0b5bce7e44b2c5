import { Refusal } from "../data/api.js";
import { make, makeLink, makeSection, setData, setName, setSentence, setText, showList } from "../kit/element.js";
import { openForm } from "../kit/box.js";
import { makeButton, refusalWords } from "../kit/form.js";
import { age, compare, has, number, t } from "../words/words.js";
import { level } from "./devices.js";
import { alertLines, machineFacts, nodeState, remedyOf } from "./nodes.js";

/** So many of the loudest tags are listed. */
const LOUDEST = 5;
/** So many answers and events are kept on the page. */
const KEPT = 30;
/** Orders, and whether they are asked about first. */
const ORDERS = [["identify", false], ["scan-start", false], ["scan-stop", true], ["restart", true], ["burst", false]];
/** How long a node that tells little tells more, in seconds. */
const BURST_S = 60;

/** One node: how it fares, what to do about what is wrong, what it hears, and orders to it. */
export default function node(main, tools) {
    const { site, session, api, params, time, announce, drawSoon } = tools;
    const id = params.node;
    const pill = make("span", "pill");
    const where = make("span", "detail node-place");
    const gone = make("p", "fault", t("node.gone"));
    const wrong = make("ul", "entries");
    wrong.id = "node-alerts";
    const facts = make("dl", "facts-list");
    facts.id = "node-facts";
    const loudest = make("ul", "plain");
    const heard = makeSection(t("node.heard"), loudest);
    const log = make("ol", "plain");
    log.id = "node-log";
    const logBox = makeSection(t("node.log"), log);
    const buttons = make("div", "buttons");
    const mayOrder = session.may("nodes.command");
    if (mayOrder) {
        for (const [op, isAsked] of ORDERS) {
            const button = makeButton(t(`node.${op}`), () => isAsked ? ask(op) : order(op).catch(failed));
            button.dataset.op = op;
            buttons.append(button);
        }
    }
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const links = make("div", "buttons", makeLink("/nodes", t("node.all")), makeLink(`/near?node=${encodeURIComponent(id)}`, t("node.near")));
    if (mayOrder) links.append(makeLink(`/scanner?node=${encodeURIComponent(id)}`, t("scanner.link")));
    if (session.may("places.write")) {
        links.prepend(makeLink(`/setup/nodes#${encodeURIComponent(id)}`, t("node.change")));
    }
    const title = make("bdi");
    main.querySelector("h1").replaceChildren(title);
    main.append(gone, make("p", "", pill, " ", where), wrong, facts, buttons, fault, heard, logBox, links);
    let policy = null;
    let row = null;
    if (session.may("places.read")) {
        api.get(`/api/v1/nodes/${encodeURIComponent(id)}`).then((found) => {
            row = found;
            drawSoon();
        }, (error) => {
            // The page says by itself that there is none.
            if (error.code !== "not_found") failed(error);
        });
    }

    /** Where it hangs. */
    function placeOf() {
        return [["stations", row?.station], ["rooms", row?.room]].filter(([, slug]) => slug !== undefined)
            .map(([kind, slug]) => site.nameOf(kind, slug));
    }

    if (mayOrder && session.may("places.read")) {
        api.get("/api/v1/policy").then((found) => {
            policy = found;
            drawSoon();
        }, failed);
    }
    /** What happened, the newest first; by its key, so that it stands there once. */
    const lines = [];
    if (session.may("live")) {
        api.get(`/api/v1/nodes/${encodeURIComponent(id)}/events?limit=${KEPT}`).then(({ events }) => {
            for (const event of events.toReversed()) note(`event ${JSON.stringify(event)}`, event.at_ms, happened(event));
        }, (error) => {
            if (error.code !== "not_found") failed(error);
        });
    }

    /** What a node told of itself: `Tag 3: battery low (12 percent)`. */
    function happened({ kind, detail, beacon, value }) {
        const figure = value === undefined ? "" : number(value);
        const more = kind === "outbox-dropped" || kind === "clock-stepped" ? "" : [figure, unitOf(detail)].filter(Boolean).join(" ");
        const key = `node.event.${kind}`;
        return [
            beacon === undefined ? "" : `${site.nameOf("beacons", beacon)}: `,
            has(key) ? t(key, { value: figure }) : kind, more === "" ? "" : ` (${more})`,
        ].join("");
    }

    async function order(op, key) {
        fault.hidden = true;
        await api.ask("POST", `/api/v1/nodes/${encodeURIComponent(id)}/commands`, {
            body: { op, ...(op === "burst" ? { for_s: BURST_S } : {}) }, key,
        });
        announce(t("node.ordered", { what: t(`node.${op}`) }));
    }

    function failed(error) {
        if (!(error instanceof Refusal)) throw error;
        setText(fault, refusalWords(error).filter(Boolean).join(" "));
        fault.hidden = false;
    }

    function ask(op) {
        openForm(t(`node.${op}-title`), t(`node.${op}-lead`), { go: t(`node.${op}`), send: (_, key) => order(op, key) });
    }

    function note(key, at, text) {
        if (lines.some((line) => line.key === key)) return;
        lines.push({ key, at, text });
        lines.sort((a, b) => b.at - a.at);
        lines.splice(KEPT);
        drawSoon();
    }

    function follow() {
        const answer = site.payload("node", id, "res");
        if (answer !== null) {
            note(`res ${answer.id}`, answer.t_ms, answer.ok ? t("node.did", { what: said(answer.op) }) :
                t("node.refused", { what: said(answer.op), why: whyNot(answer.error) }));
        }
    }

    return {
        draw(now) {
            follow();
            const isKnown = site.isNamed("nodes", id);
            gone.hidden = isKnown;
            const one = nodeState(site, id, now);
            setText(title, site.nameOf("nodes", id));
            const words = `${site.nameOf("nodes", id)} · ${site.name || "Beaconmesh"}`;
            if (document.title !== words) document.title = words;
            setData(pill, { state: one.state });
            setText(pill, t(`node.${one.state}`));
            const told = one.health === null ? t("nodes.none-yet") : t("ago", { age: age(now - one.health.t_ms) });
            setText(where, [...placeOf(), told].join(" · "));
            const alerts = alertLines(site, now).filter(({ node }) => node === id);
            wrong.hidden = alerts.length === 0;
            showList(wrong, alerts, ({ key }) => key, () => make("li", "", make("b"), make("p", "detail")),
                (line, { text, alert }) => {
                    setData(line, { alert });
                    setSentence(line.children[0], text);
                    setText(line.children[1], remedyOf(alert) ?? "");
                });
            const said = machineFacts(site, one).filter(([, text]) => text !== null && text !== "");
            showList(facts, said, ([key]) => key, ([key]) => {
                const line = make("div", "", make("dt", "", t(`nodes.${key}`)), make("dd"));
                line.dataset.fact = key;
                return line;
            }, (line, [, text]) => setName(line.lastElementChild, text));
            const tags = loudestAt(site, id);
            heard.hidden = tags.length === 0;
            showList(loudest, tags, ({ beacon }) => beacon, () => make("li", "", make("bdi"), " ", make("span", "detail")),
                (line, { beacon, rssi }) => {
                    setText(line.children[0], site.nameOf("beacons", beacon));
                    setText(line.children[1], level(rssi));
                });
            logBox.hidden = lines.length === 0;
            showList(log, lines, ({ key }) => key, () => make("li"), (line, { at, text }) =>
                setText(line, `${time.full(at)} ${text}`));
            for (const button of buttons.children) {
                const { op } = button.dataset;
                button.hidden = op === "scan-start" ? one.state !== "stopped" : op === "scan-stop" ? one.state === "stopped" :
                    op === "burst" && ![policy, row].some((of) => of?.profile === "sparse" || of?.sparse_hours !== undefined);
                button.disabled = one.state === "offline" || one.state === "unknown";
            }
        },
    };
}

/** What a figure is of; other words of a node are English. */
function unitOf(detail) {
    return { percent: "%", volts: "V" }[detail] ?? detail;
}

/** Why a node did not obey; its own words are English. */
function whyNot(error) {
    const key = `node.error.${error?.code}`;
    return has(key) ? t(key) : error?.message ?? "";
}

/** What an order is called. */
function said(op) {
    return ORDERS.some(([one]) => one === op) ? t(`node.${op}`) : String(op ?? "");
}

/** The registered tags that it hears loudest. */
function loudestAt(site, id) {
    return site.listed("beacons").flatMap((beacon) => {
        const nodes = site.payload("beacon", beacon, "state")?.nodes;
        const own = Array.isArray(nodes) ? nodes.find(({ node }) => node === id) : undefined;
        return own === undefined ? [] : [{ beacon, rssi: own.rssi }];
    }).sort((a, b) => b.rssi - a.rssi || compare(a.beacon, b.beacon)).slice(0, LOUDEST);
}
