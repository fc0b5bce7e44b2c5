import { Refusal } from "../data/api.js";
import { make, makeLink, makeSection, setData, setName, setSentence, setText, showList } from "../kit/element.js";
import { makeStrip } from "../kit/strip.js";
import { cardFor, makeCard, showCard } from "../kit/card.js";
import { refusalWords } from "../kit/form.js";
import { CURVES, SPAN_MS, makeLevels } from "../kit/levels.js";
import { age, has, sentence, t } from "../words/words.js";
import { level } from "./devices.js";

/** Who heard it before the last look is not shown as hearing it, in ms. */
const FRESH_MS = 30_000;
/** So often what nodes kept is read again, in ms: they tell it once a minute. */
const DAY_AGAIN_MS = 60_000;
/** What is told of it, in this order; what is not known is left out. */
const FACTS = ["identity", "owner", "place", "groups", "threshold"];

/** One tag: who hears it and how well, whose it is and was, and what it was recognised by. */
export default function device(main, tools) {
    const { site, session, api, params, time, drawSoon } = tools;
    const id = params.beacon;
    const title = make("bdi");
    main.querySelector("h1").replaceChildren(title);
    const lead = make("p");
    lead.id = "device-lead";
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const levels = makeLevels(t("device.levels"));
    const day = makeDay(tools, id);
    const hearers = make("ul", "hearers");
    hearers.id = "hearers";
    const silent = make("p", "empty-list", t("device.silent"));
    const facts = make("dl", "facts-list");
    facts.id = "device-facts";
    const carried = make("ol", "plain");
    carried.id = "device-owners";
    const carriedBox = makeSection(t("device.owners"), carried);
    const fixed = make("ol", "plain");
    fixed.id = "device-places";
    const fixedBox = makeSection(t("device.hung"), fixed);
    const known = make("ol", "plain");
    known.id = "device-identities";
    const knownBox = makeSection(t("device.identities"), known);
    const links = make("div", "buttons", makeLink("/devices", t("device.all")));
    if (session.may("people.write")) {
        links.prepend(makeLink(`/setup/beacons#${encodeURIComponent(id)}`, t("device.change")));
    }
    const card = makeCard();
    card.id = "device-card";
    if (session.may("places.write")) {
        links.prepend(makeLink(`/setup/cards?beacon=${encodeURIComponent(id)}`, t("card.add")));
    }
    main.append(lead, fault, makeSection(t("device.heard"), levels.element, hearers, silent), day.element, card, facts, carriedBox, fixedBox, knownBox,
        links);
    carriedBox.hidden = fixedBox.hidden = knownBox.hidden = true;
    if (session.may("live")) tools.follow([`beacon/${id}/+`]);
    let [row, bindings, identities, places] = [null, [], [], []];
    /** What groups are called, by id. */
    let labels = new Map();
    /** From node to its samples, oldest first. */
    const samples = new Map();
    let newest = -Infinity;

    async function load() {
        const address = `/api/v1/beacons/${encodeURIComponent(id)}`;
        try {
            [row, { bindings }, { identities }, { places }] = await Promise.all([api.get(address),
                ...["bindings", "identities", "places"].map((one) => api.get(`${address}/${one}`))]);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(fault, error.code === "not_found" ? t("device.gone") : refusalWords(error).filter(Boolean).join(" "));
            fault.hidden = false;
        }
        try {
            labels = new Map((await api.all("/api/v1/groups?limit=500", "groups")).map((one) => [one.id, one.name]));
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
        }
        drawSoon();
    }
    if (session.may("people.read")) load();

    /** Notes what is told, each once. */
    function take(state, now) {
        if (state === null || state.t_ms <= newest || !Array.isArray(state.nodes)) return;
        newest = state.t_ms;
        for (const { node, rssi, age_ms: old } of state.nodes) {
            if (!samples.has(node)) samples.set(node, []);
            const list = samples.get(node);
            const moment = state.t_ms - old;
            if (list.length === 0 || list.at(-1)[0] < moment) list.push([moment, rssi]);
            while (list.length > 0 && list[0][0] < now - SPAN_MS) list.shift();
        }
    }

    return {
        draw(now) {
            const name = site.nameOf("beacons", id);
            setText(title, name);
            const words = `${name} · ${site.name || "Beaconmesh"}`;
            if (document.title !== words) document.title = words;
            const state = site.payload("beacon", id, "state");
            take(state, now);
            const heard = (Array.isArray(state?.nodes) ? state.nodes : [])
                .map((one) => ({ ...one, silence: now - state.t_ms + one.age_ms }))
                .filter(({ silence }) => silence <= FRESH_MS);
            silent.hidden = heard.length > 0;
            levels.element.hidden = samples.size === 0;
            levels.draw(heard.slice(0, CURVES).map(({ node }) => ({ samples: samples.get(node) ?? [] })), now,
                row?.threshold_dbm ?? null);
            setSentence(lead, heard.length === 0 ? [t("device.silent-lead")] : sentence("device.lead", {
                node: { name: site.nameOf("nodes", heard[0].node) }, level: level(heard[0].rssi), age: age(heard[0].silence),
            }));
            showList(hearers, heard, ({ node }) => node, () => make("li", "", make("span", "swatch"), make("a"), " ", make("span", "detail")),
                (line, { node, rssi, silence }) => {
                    const place = heard.findIndex((one) => one.node === node);
                    setData(line, { place: place < CURVES ? place : null, node });
                    const [, link, detail] = line.children;
                    setName(link, site.nameOf("nodes", node));
                    link.href = `/nodes/${encodeURIComponent(node)}`;
                    setText(detail, `${level(rssi)} · ${t("ago", { age: age(silence) })}`);
                });
            day.draw(row?.threshold_dbm ?? null);
            showCard(card, cardFor(site.payload("beacon", id, "info")?.cards));
            drawFacts();
            carriedBox.hidden = bindings.length === 0;
            showList(carried, bindings.toReversed(), ({ user, from_ms: from }) => `${user} ${from}`, () => make("li", "", make("a"), " ", make("span", "detail")),
                (line, { user, from_ms: from, to_ms: to }) => {
                    setName(line.children[0], site.nameOf("users", user));
                    line.children[0].href = `/people/${encodeURIComponent(user)}`;
                    setText(line.children[1], to === undefined ? t("device.since", { from: time.date(from) }) :
                        t("device.from-to", { from: time.date(from), to: time.date(to) }));
                });
            fixedBox.hidden = places.length === 0;
            showList(fixed, places.toReversed(), ({ from_ms: from }) => String(from), () => make("li", "", make("bdi"), " ", make("span", "detail")),
                (line, { room, station, from_ms: from, to_ms: to }) => {
                    setText(line.children[0], station === undefined ? site.nameOf("rooms", room) : site.nameOf("stations", station));
                    setText(line.children[1], to === undefined ? t("device.since", { from: time.date(from) }) :
                        t("device.from-to", { from: time.date(from), to: time.date(to) }));
                });
            knownBox.hidden = identities.length < 2;
            showList(known, identities.toReversed(), ({ identity, from_ms: from }) => `${identity} ${from}`,
                () => make("li", "", make("code"), " ", make("span", "detail")),
                (line, { identity, from_ms: from, to_ms: to }) => {
                    setText(line.children[0], identity);
                    setText(line.children[1], to === undefined ? t("device.since", { from: time.date(from) }) :
                        t("device.from-to", { from: time.date(from), to: time.date(to) }));
                });
        },
    };

    function groupNames(groups) {
        return Array.isArray(groups) && groups.length > 0 ? groups.map((one) => labels.get(one) ?? one).join(", ") : null;
    }

    function drawFacts() {
        if (row === null) return;
        const told = {
            identity: row.identity,
            owner: row.user === undefined ? null : site.nameOf("users", row.user),
            place: row.station !== undefined ? site.nameOf("stations", row.station) :
                row.room !== undefined ? site.nameOf("rooms", row.room) : null,
            groups: groupNames(site.payload("beacon", id, "info")?.groups),
            threshold: row.threshold_dbm === undefined ? null : level(row.threshold_dbm),
        };
        const kind = site.payload("beacon", id, "info")?.kind;
        const lines = [...(has(`devices.kind.${kind}`) ? [["kind", t(`devices.kind.${kind}`)]] : []),
            ...FACTS.filter((one) => told[one] !== null).map((one) => [one, told[one]])];
        showList(facts, lines, ([key]) => key, ([key]) => {
            const line = make("div", "", make("dt", "", t(`device.fact.${key}`)), make("dd"));
            line.dataset.fact = key;
            return line;
        }, (line, [, text]) => setName(line.lastElementChild, text));
    }
}

/** What nodes kept of a tag for a day, and where its carriers were decided to be; not for who may not read people. */
function makeDay({ api, session, site, time, drawSoon }, id) {
    const levels = makeLevels(t("device.day"));
    const strip = makeStrip(t("device.places"));
    const hearers = make("ul", "hearers");
    hearers.id = "day-hearers";
    const none = make("p", "empty-list", t("device.day-none"));
    const whose = make("p", "detail");
    levels.element.append(strip.element);
    const element = makeSection(t("device.day"), levels.element, whose, hearers, none);
    element.id = "device-day";
    element.hidden = true;
    let told = null;
    let drawn = null;

    async function load() {
        try {
            told = await api.get(`/api/v1/beacons/${encodeURIComponent(id)}/levels`);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
        }
        drawSoon();
    }
    // It tells where somebody was.
    if (session.may("attendance.read")) {
        load();
        setInterval(() => {
            if (document.visibilityState === "visible") load();
        }, DAY_AGAIN_MS);
    }

    return {
        element,
        draw(threshold) {
            element.hidden = told === null;
            if (told === null || drawn === told) return;
            drawn = told;
            const { from_ms: from, to_ms: to, step_s: step, nodes, stays } = told;
            const shown = nodes.slice(0, CURVES);
            none.hidden = nodes.length > 0;
            levels.element.hidden = nodes.length === 0;
            levels.draw(shown.map(({ levels: all }) => ({
                samples: all.map(({ at_ms: at, mean_dbm: mean }) => [at, mean]),
                dots: all.map(({ at_ms: at, strongest_dbm: strongest }) => [at, strongest]),
            })), to, threshold, { span: to - from, gap: 2.5 * step * 1000 });
            const tones = new Map();
            strip.draw({
                from, to, now: to,
                hours: [0, 6, 12, 18, 24].map((hours) => time.clock(from + hours * 3_600_000)),
                parts: stays.map(({ room, station, from_ms: start, to_ms: end }) => {
                    const name = room === undefined ? site.nameOf("stations", station) : site.nameOf("rooms", room);
                    if (!tones.has(name)) tones.set(name, tones.size % 4);
                    return { from: start, to: end ?? to, kind: room === undefined ? "station" : "room", tone: tones.get(name),
                        label: `${name}, ${time.clock(start)} – ${end === undefined ? "" : time.clock(end)}` };
                }),
            });
            const users = [...new Set(stays.map(({ user }) => user))];
            whose.replaceChildren(...users.flatMap((user, at) => [at > 0 ? ", " : "",
                makeLink(`/people/${encodeURIComponent(user)}`, t("device.why", { name: site.nameOf("users", user) }))]));
            showList(hearers, shown, ({ node }) => node, () => make("li", "", make("span", "swatch"), make("a"), " ", make("span", "detail")),
                (line, { node, levels: all }) => {
                    setData(line, { place: shown.findIndex((one) => one.node === node), node });
                    setName(line.children[1], site.nameOf("nodes", node));
                    line.children[1].href = `/nodes/${encodeURIComponent(node)}`;
                    setText(line.children[2], t("device.day-node", {
                        level: level(Math.max(...all.map(({ strongest_dbm: strongest }) => strongest))), age: time.clock(all.at(-1).at_ms),
                    }));
                });
        },
    };
}
