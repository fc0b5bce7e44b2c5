import { Refusal } from "../data/api.js";
import { make, makeLink, setData, setName, setSentence, setText, showList } from "../kit/element.js";
import { cardFor, makeCard, showCard } from "../kit/card.js";
import { fillChoice, makeButton, makeChoice, refusalWords } from "../kit/form.js";
import { compare, number, t } from "../words/words.js";
import { level } from "./devices.js";
import { setFace } from "./presence.js";

/** It is looked so often, in ms, while the page is seen; with all of a long list half as often. */
const LOOK_MS = 250;
/** So many are shown at first, and when all are asked for. */
const [SOME, ALL] = [100, 1000];
/** The levels at which the bar is empty and full, in dBm. */
const RANGE = [-100, -40];

/** Which beacons are in range of a node, a room or oneself, nearest first, in an order that stands still while nothing moves. */
export default function near(main, { site, session, api, drawSoon }) {
    const place = makeChoice("near-place", t("near.place"), () => {
        choose(place.input.value);
        load();
    });
    const lead = make("p", "detail");
    lead.setAttribute("role", "status");
    const list = make("ol", "near-list");
    list.id = "near-rows";
    const none = make("p", "empty-list");
    const more = makeButton(t("near.more"), () => {
        limit = ALL;
        more.hidden = true;
        load();
    });
    [more.id, more.hidden] = ["near-more", true];
    main.append(place.element, lead, list, more, none);
    const seesAll = session.may("live");
    let told = null;
    let fault = "";
    /** `node treadmill`; empty: oneself. */
    let chosen = asked();
    let isAsking = false;
    let limit = SOME;

    /** What the address names, for whoever may look from anywhere. */
    function asked() {
        if (!seesAll) return "";
        const query = new URLSearchParams(location.search);
        const kind = ["node", "room", "user"].find((one) => query.has(one));
        return kind === undefined ? "" : `${kind} ${query.get(kind)}`;
    }

    function choose(value) {
        chosen = value;
        const [kind, id] = value.split(" ");
        history.replaceState(null, "", value === "" ? "/near" : `/near?${kind}=${encodeURIComponent(id)}`);
        told = null;
    }

    async function load() {
        if (isAsking || (chosen === "" && session.user === "")) return;
        isAsking = true;
        const before = chosen;
        const [kind, id] = chosen.split(" ");
        try {
            const answer = await api.get(
                `/api/v1/near?limit=${limit}${chosen === "" ? "" : `&${kind}=${encodeURIComponent(id)}`}`);
            if (before === chosen) [told, fault] = [answer, ""];
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            if (before === chosen) [told, fault] = [null, refusalWords(error).filter(Boolean).join(" ")];
        }
        isAsking = false;
        drawSoon();
        if (before !== chosen) load();
    }

    let turn = 0;
    setInterval(() => {
        turn += 1;
        if (document.visibilityState === "visible" && (limit === SOME || turn % 2 === 0)) load();
    }, LOOK_MS);
    load();

    return {
        draw() {
            const options = [
                ...(session.user === "" ? [] : [["", t("near.me")]]),
                ...(seesAll ? [...places("room", "rooms"), ...places("node", "nodes")] : []),
            ];
            const [kind, id] = chosen.split(" ");
            // Somebody else's, whom a link of their page names.
            if (kind === "user") options.push([chosen, t("near.user", { name: site.nameOf("users", id) })]);
            fillChoice(place.input, options);
            place.element.hidden = options.length < 2;
            if (chosen === "" && session.user === "" && options.length > 0) {
                choose(options[0][0]);
                load();
            }
            place.input.value = chosen;
            const beacons = told?.beacons ?? [];
            setText(lead, fault !== "" ? fault : told === null ? t("form.loading") : t("near.lead", { n: beacons.length + told.left_out }));
            showList(list, beacons, ({ beacon }) => beacon, makeItem, (item, one) => update(item, one, site, told.nodes.length));
            more.hidden = told === null || told.left_out === 0 || limit === ALL;
            none.hidden = told === null || beacons.length > 0;
            setText(none, told?.nodes.length === 0 ? t(chosen === "" || kind === "user" ? "near.nowhere" : "near.no-node") : t("near.none"));
        },
    };

    function places(kind, collection) {
        return site.listed(collection).map((id) => [`${kind} ${id}`, t(`near.${kind}`, { name: site.nameOf(collection, id) })])
            .sort((a, b) => compare(a[1], b[1]));
    }
}

function makeItem({ beacon }) {
    const face = make("span", "face");
    face.setAttribute("aria-hidden", "true");
    const meter = make("span", "bar", make("span"));
    meter.setAttribute("aria-hidden", "true");
    const item = make("li", "near-item panel", face, make("strong"), meter,
        make("p", "near-line", make("span", "near-zone"), " ", make("span", "detail")), makeCard("shown-card near-card"));
    item.dataset.beacon = beacon;
    return item;
}

function update(item, one, site, nodes) {
    const [face, head, meter, line, card] = item.children;
    showCard(card, cardFor(one.cards));
    const [zone, detail] = line.children;
    setData(item, { zone: one.zone });
    const name = one.name ?? (one.title || one.beacon);
    setFace(face, one.user ?? one.beacon, name);
    if (one.user === undefined) setName(head, name);
    else if (head.firstElementChild?.tagName !== "A" || head.textContent !== name) {
        head.replaceChildren(makeLink(`/people/${encodeURIComponent(one.user)}`, make("bdi", "", name)));
    }
    setText(zone, [t(`near.zone.${one.zone}`), distanceWords(one)].filter(Boolean).join(" · "));
    setSentence(detail, [level(one.level_dbm),
        ...(nodes > 1 ? [" · ", { name: site.nameOf("nodes", one.node) }] : []),
        ...(one.name !== undefined && one.title !== "" ? [" · ", { name: one.title }] : [])]);
    const full = Math.min(1, Math.max(0, (one.level_dbm - RANGE[0]) / (RANGE[1] - RANGE[0])));
    meter.firstElementChild.style.setProperty("width", `${Math.round(full * 100)}%`);
}

/** `2 to 5 m`, `under 2 m`, `over 5 m`; empty where the level says nothing. */
export function distanceWords({ least_m: least, most_m: most }) {
    if (least === undefined && most === undefined) return "";
    if (least === undefined) return t("near.under", { most: number(most) });
    if (most === undefined) return t("near.over", { least: number(least) });
    return t("near.between", { least: number(least), most: number(most) });
}
