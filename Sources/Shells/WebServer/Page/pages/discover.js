import { Refusal } from "../data/api.js";
import { bounds, middle, outline, path, uppermost } from "../kit/area.js";
import { openForm } from "../kit/box.js";
import { make, makeLink, makeShape, setData, setName, setSentence, setText, showList } from "../kit/element.js";
import { fillChoice, makeButton, makeChoice, makeForm, makeSearch, refusalWords } from "../kit/form.js";
import { compare, has, number, percent, t } from "../words/words.js";
import { level } from "./devices.js";
import { makePictureShape, readPictures } from "./plan-picture.js";
import { makeStoreys, storeysOf } from "./storeys.js";

/** The page asks so often while somebody sees it, in ms. The map asks less often, because it shows more. */
const LOOK_MS = 2000;
const MAP_LOOKS = 5;
/** The page asks again after so many looks whether nodes report such devices at all. */
const STATE_LOOKS = 15;
/** The list reads so many visits at a time; the map reads so many at a time and at most. */
const PAGE = 50;
const [MAP_PAGE, MAP_MOST] = [200, 1000];
/** So long after the last key the search begins, in ms, for a text of so many characters or more. */
const TYPED_MS = 300;
const SHORTEST = 3;
/** The least pixels of a metre, and the metres around the rooms, as on the floor plan. */
const [METRE, MARGIN] = [22, 1];
/** The graticule has so many cells on each side. */
const CELLS = 24;
/** It shows at least so many degrees, about 200 m. */
const LEAST_DEGREES = 0.002;
/** The filters of the address bar that the server knows, and their order there. */
const FILTERS = ["q", "type", "node", "room", "source", "sort"];
const SORTS = ["newest", "oldest", "strongest", "surest"];
const FORMATS = ["csv", "json", "jsonl", "gpx", "wigle"];
const DAY_MS = 86_400_000;

/** What is needed to delete visits and to set up rules. */
export const CHANGE_RIGHT = "detections";

/** Drawings of 24 by 24, one for each icon that a device type may have. */
const ICONS = {
    camera: "M4 8h4l1.5-2h5L16 8h4v11H4zM12 10a3 3 0 1 0 .01 0z",
    doorbell: "M8 3h8v18H8zM12 13a2 2 0 1 0 .01 0zM12 7h.01",
    tracker: "M12 21s-7-6-7-11a7 7 0 0 1 14 0c0 5-7 11-7 11zM12 8a2 2 0 1 0 .01 0z",
    beacon: "M12 11a1 1 0 1 0 .01 0zM8 16a6 6 0 0 1 0-8M16 8a6 6 0 0 1 0 8M5 19a10 10 0 0 1 0-14M19 5a10 10 0 0 1 0 14",
    phone: "M8 3h8v18H8zM11 18h2",
    computer: "M4 5h16v11H4zM2 20h20",
    watch: "M12 7a5 5 0 1 0 .01 0zM9 7.5L9.500 3h5l.5 4.5M9 16.500l.5 4.5h5l.5-4.5",
    speaker: "M7 3h10v18H7zM12 11a3 3 0 1 0 .01 0zM12 7h.01",
    lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
    light: "M9 17a6 6 0 1 1 6 0v1.500H9zM10 21h4",
    sensor: "M10 13V5a2 2 0 0 1 4 0v8a4 4 0 1 1-4 0z",
    headphones: "M4 14a8 8 0 0 1 16 0M4 14h3v6H4zM17 14h3v6h-3z",
    tv: "M3 6h18v11H3zM8 21h8",
    car: "M3 17v-5l2.500-5h13L21 12v5zM3 12h18M7 17v2M17 17v2",
    printer: "M7 9V3h10v6M7 17H3V9h18v8h-4M7 14h10v7H7z",
    fitness: "M3 12h4l2.500-6 4 12 2.500-6h5",
    tag: "M4 4h8l8 8-8 8-8-8zM8.500 8.500h.01",
    drone: "M9 10h6v4H9zM9 10L6 7M15 10l3-3M9 14l-3 3M15 14l3 3M3 7h6M15 7h6M3 17h6M15 17h6",
    other: "M12 3a9 9 0 1 0 .01 0zM9.500 9.500a2.500 2.500 0 1 1 2.500 3V14M12 17h.01",
};

/** Strangers' Bluetooth devices that nodes or external detectors found, as a list and as a map. */
export default function discover(main, tools) {
    const { site, session, api, clock, announce, drawSoon } = tools;
    const query = new URLSearchParams(location.search);
    const filter = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
    if (!SORTS.includes(filter.sort)) filter.sort = SORTS[0];
    let view = query.get("view") === "map" ? "map" : "list";
    let types = new Map();
    /** Whether nodes report strangers' devices; `null`: nobody said. */
    let isOn = null;
    /** The visits that are shown; `null`: none came yet. */
    let rows = null;
    let next = null;
    /** Whether more than the first page is shown, which is not asked for again. */
    let isExtended = false;
    let fault = "";
    /** Counts the changes of what is asked for: an answer to an older question is dropped. */
    let turn = 0;
    let isAsking = false;
    /** Whether somebody asked for more while something else was on its way. */
    let wantsMore = false;

    let typing = null;
    const search = makeSearch(t("discover.search"), () => {
        clearTimeout(typing);
        typing = setTimeout(() => change({ q: search.element.value.trim() }), TYPED_MS);
    });
    search.element.value = filter.q;
    search.element.maxLength = 100;
    const choices = new Map(["type", "node", "room", "sort"].map((name) => [name,
        makeChoice(`discover-by-${name}`, t(`discover.filter.${name}`),
            () => change({ [name]: choices.get(name).input.value }))]));
    fillChoice(choices.get("sort").input, SORTS.map((one) => [one, t(`discover.sort.${one}`)]));
    const state = make("p", "detail");
    const stateWords = make("span");
    const turnOn = makeLink("/settings", t("discover.turn-on"));
    state.id = "discover-state";
    state.append(stateWords, " ", turnOn);
    const starter = makeButton(t("discover.starter"), async () => {
        try {
            await api.ask("POST", "/api/v1/device-types/starter");
            await loadTypes();
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            fault = refusalWords(error).filter(Boolean).join(" ");
            drawSoon();
        }
    });
    [starter.id, starter.hidden] = ["discover-starter", true];
    const lead = make("p", "detail");
    lead.setAttribute("role", "status");
    const wrong = make("p", "fault");
    wrong.setAttribute("role", "alert");
    const short = make("p", "detail", t("discover.search-short", { least: SHORTEST }));
    const views = ["list", "map"].map((name) => {
        const button = makeButton(t(`discover.view.${name}`), () => show(name));
        button.dataset.view = name;
        return button;
    });
    const segments = make("div", "discover-views buttons", ...views);
    segments.setAttribute("role", "group");
    segments.setAttribute("aria-label", t("discover.views"));
    const list = make("ol", "discover-list");
    list.id = "discover-rows";
    const none = make("p", "empty-list");
    const more = makeButton(t("discover.more"), () => load(true), "quiet");
    more.id = "discover-more";
    const newest = makeButton(t("discover.live"), () => change({}), "quiet");
    newest.id = "discover-live";
    const map = makeMap(tools, {
        typeOf: (one) => types.get(one.type),
        updateItem: (item, one) => showVisit(item, one, types, tools),
        narrow: (values) => {
            [view, rows] = ["list", null];
            change({ node: "", room: "", ...values });
        },
    });
    const listed = make("div", "", list, none, make("div", "buttons", more, newest));
    const links = FORMATS.map((format) => {
        const link = makeLink("#", t(`discover.export.${format}`));
        link.className = "button";
        link.download = "";
        link.dataset.format = format;
        return link;
    });
    main.append(make("p", "detail", t("discover.lead")), state, starter,
        make("div", "filter discover-filter", search.element,
            ...[...choices.values()].map(({ element }) => element)),
        short, segments, lead, wrong, listed, map.element,
        makeFold("discover-export", t("discover.export"), make("p", "detail", t("discover.export-lead")),
            make("div", "buttons", ...links)),
        ...(session.may(CHANGE_RIGHT) ? [makeForget()] : []));

    function isShort() {
        return filter.q !== "" && [...filter.q].length < SHORTEST;
    }

    /** What is asked for, without limit and place. */
    function asked() {
        const wanted = new URLSearchParams();
        for (const name of FILTERS) if (filter[name] !== "") wanted.set(name, filter[name]);
        // The server finds no shorter text.
        if (isShort()) wanted.delete("q");
        return wanted;
    }

    /** Takes other filters, keeps them in the address bar and asks anew. */
    function change(values) {
        Object.assign(filter, values);
        turn += 1;
        [next, isExtended, wantsMore, fault] = [null, false, false, ""];
        const wanted = asked();
        if (filter.sort === SORTS[0]) wanted.delete("sort");
        if (view === "map") wanted.set("view", "map");
        const words = wanted.toString();
        history.replaceState(null, "", words === "" ? "/discover" : `/discover?${words}`);
        load();
        drawSoon();
    }

    function show(name) {
        if (view === name) return;
        [view, rows] = [name, null];
        change({});
    }

    /** Reads the first page, or the one after what is shown; for the map, page after page. */
    async function load(goesOn = false) {
        if (isAsking) {
            wantsMore ||= goesOn;
            return;
        }
        if (goesOn && next === null) return;
        isAsking = true;
        const before = turn;
        try {
            let found = goesOn ? rows : [];
            let cursor = goesOn ? next : null;
            const isMap = view === "map";
            do {
                const wanted = asked();
                wanted.set("limit", String(isMap ? MAP_PAGE : PAGE));
                if (cursor !== null) wanted.set("cursor", cursor);
                const answer = await api.get(`/api/v1/detections?${wanted}`);
                if (before !== turn) break;
                // Something may have moved from one page to the next meanwhile.
                const known = new Set(found.map(({ id }) => id));
                found = [...found, ...answer.detections.filter(({ id }) => !known.has(id))];
                cursor = answer.next ?? null;
            } while (isMap && cursor !== null && found.length < MAP_MOST);
            if (before === turn) [rows, next, fault, isExtended] = [found, cursor, "", isExtended || goesOn];
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            // What came before is still shown while the line is away.
            if (before === turn) fault = refusalWords(error).filter(Boolean).join(" ");
        }
        isAsking = false;
        drawSoon();
        if (before !== turn) load();
        else if (wantsMore) {
            wantsMore = false;
            load(true);
        }
    }

    async function loadState() {
        if (!session.may("places.read")) return;
        try {
            isOn = (await api.get("/api/v1/settings")).detect === true;
        } catch (error) {
            // Whoever may not read the settings sees the list all the same.
            if (!(error instanceof Refusal)) throw error;
        }
        drawSoon();
    }

    async function loadTypes() {
        types = await readTypes(api);
        starter.hidden = types.size > 0;
        drawSoon();
    }

    /** Deletes all visits that ended before a day. */
    function makeForget() {
        const form = makeForm({
            fields: [{ name: "days", label: t("discover.forget-days"), kind: "number", step: 1, least: 1, most: 3650,
                value: 30, isNeeded: true }],
            go: t("discover.forget-go"), isFilter: true,
            send: async ({ days }) => {
                openForm(t("discover.forget-title"), t("discover.forget-sure", { n: Number(days) }), {
                    go: t("discover.delete-go"),
                    send: async () => {
                        const now = clock.now();
                        // Nobody can say what is old without the coordinator's time.
                        if (now === null) throw new Refusal("not_loaded");
                        const body = { before_ms: Math.round(now - Number(days) * DAY_MS) };
                        let count = 0;
                        let isMore = true;
                        while (isMore) {
                            const { data } = await api.ask("POST", "/api/v1/detections/forget", { body });
                            count += data.count;
                            isMore = data.more;
                        }
                        announce(t("discover.forgotten", { n: count }));
                        change({});
                    },
                });
            },
        });
        return makeFold("discover-forget", t("discover.forget"), make("p", "detail", t("discover.forget-lead")), form);
    }

    let looks = 0;
    setInterval(() => {
        if (document.visibilityState !== "visible") return;
        looks += 1;
        if (view === "list" ? !isExtended : looks % MAP_LOOKS === 0) load();
        if (looks % STATE_LOOKS === 0) loadState();
    }, LOOK_MS);
    load();
    loadState();
    loadTypes();

    /** The options of a filter; what the address names stays among them. */
    function fill(name, options) {
        const { input, element } = choices.get(name);
        const chosen = filter[name];
        const all = [["", t("discover.any")], ...options.sort((a, b) => compare(a[1], b[1]))];
        if (chosen !== "" && !options.some(([value]) => value === chosen)) all.push([chosen, chosen]);
        fillChoice(input, all);
        if (input.value !== chosen) input.value = chosen;
        element.hidden = all.length < 2;
    }

    return {
        draw(now) {
            fill("type", [...types].map(([id, { name }]) => [id, name]));
            for (const [name, kind] of [["node", "nodes"], ["room", "rooms"]]) {
                fill(name, site.listed(kind).map((id) => [id, site.nameOf(kind, id)]));
            }
            choices.get("sort").input.value = filter.sort;
            state.hidden = isOn === null;
            if (isOn !== null) setText(stateWords, t(isOn ? "discover.on" : "discover.off"));
            turnOn.hidden = isOn !== false || !session.may("places.write");
            for (const button of views) button.setAttribute("aria-pressed", String(button.dataset.view === view));
            const isMap = view === "map";
            const count = rows?.length ?? 0;
            setText(lead, rows === null ? (fault === "" ? t("form.loading") : "") :
                t(next === null ? "discover.count" : isMap ? "discover.count-most" : "discover.count-some", { n: count }));
            short.hidden = !isShort();
            setText(wrong, fault);
            wrong.hidden = fault === "";
            listed.hidden = isMap;
            map.element.hidden = !isMap;
            const filed = asked();
            // A file has them as they were stored.
            filed.delete("sort");
            for (const link of links) {
                link.setAttribute("href", `/api/v1/detection-files/${link.dataset.format}?${filed}`);
            }
            if (isMap) {
                map.draw(rows);
                return;
            }
            showList(list, rows ?? [], ({ id }) => String(id), makeVisit, (item, one) => showVisit(item, one, types, tools, now));
            const isNarrowed = FILTERS.some((name) => name !== "sort" && filter[name] !== "");
            none.hidden = rows === null || count > 0;
            setText(none, t(isNarrowed ? "discover.not-found" : "discover.none"));
            more.hidden = rows === null || next === null;
            newest.hidden = !isExtended;
        },
    };
}

/** A part of the page that is folded away at first. */
function makeFold(id, title, ...children) {
    const fold = make("details", "fold", make("summary", "", make("b", "", title)),
        make("div", "fold-content discover-fold", ...children));
    fold.id = id;
    return fold;
}

/** The device types by slug; none if they cannot be read. */
export async function readTypes(api) {
    try {
        return new Map((await api.all("/api/v1/device-types?limit=500", "device-types")).map((one) => [one.id, one]));
    } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return new Map();
    }
}

/** What sort of device a visit was: its type, else what a detector calls it, else that nobody knows. */
export function typeWords(one, types) {
    if (one.type !== undefined) return types.get(one.type)?.name ?? one.type;
    return one.said || t("discover.unknown");
}

/** An address as people write it; a shortened one stays short. */
export function addressWords(address) {
    if (address.startsWith("x-")) return `…${address.slice(2)}`;
    return /^[0-9a-f]{12}$/i.test(address) ? address.match(/../g).join(":") : address;
}

/** From when to when a visit was. */
export function spanWords({ first_ms: first, last_ms: last }, time, now) {
    const [from, to] = [time.short(first, now), time.short(last, now)];
    return from === to ? from : t("discover.span", { from, to });
}

/** The mark of a type, which `showMark` fills. */
export function makeMark() {
    const mark = make("span", "found-mark");
    mark.setAttribute("aria-hidden", "true");
    return mark;
}

/** Shows the icon of a device type in its colour; `undefined` if there is no type. */
export function showMark(mark, type) {
    const icon = Object.hasOwn(ICONS, type?.icon ?? "") ? type.icon : "other";
    paint(mark, type?.colour);
    if (mark.dataset.icon === icon) return;
    setData(mark, { icon });
    mark.replaceChildren(makeShape("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, makeShape("path", { d: ICONS[icon] })));
}

/** Gives an element the colour of a type, or the usual one. */
function paint(element, colour) {
    if (/^#[0-9a-f]{6}$/i.test(colour ?? "")) element.style.setProperty("--mark", colour);
    else element.style.removeProperty("--mark");
}

function makeVisit({ id }) {
    const title = makeLink(`/discover/${encodeURIComponent(id)}`);
    title.className = "found-title";
    const item = make("li", "found-item panel", makeMark(), title, make("span", "found-level"),
        make("p", "found-line"), make("p", "found-line detail"));
    item.dataset.visit = id;
    return item;
}

function showVisit(item, one, types, { site, time, clock }, now = clock.now()) {
    const [mark, title, strength, names, facts] = item.children;
    const type = types.get(one.type);
    showMark(mark, type);
    const icon = `discover.icon.${type?.icon ?? "other"}`;
    mark.title = has(icon) ? t(icon) : "";
    setName(title, typeWords(one, types));
    setText(strength, [one.rssi === undefined ? "" : level(one.rssi),
        one.confidence === undefined ? "" : t("discover.sure", { share: percent(one.confidence) })].filter(Boolean).join(" · "));
    const told = [one.name, one.ssid, one.address === undefined ? "" : addressWords(one.address),
        one.type === undefined ? "" : one.said, one.activity].filter(Boolean);
    names.hidden = told.length === 0;
    setSentence(names, parted(told.map((name) => ({ name }))));
    setSentence(facts, parted([
        ...(one.node === undefined ? [] : [{ name: site.nameOf("nodes", one.node) }]),
        ...(one.room === undefined ? [] : [{ name: site.nameOf("rooms", one.room) }]),
        ...(one.source === "mesh" ? [] : [{ name: one.source }]),
        spanWords(one, time, now), t("discover.hits", { n: one.hits }),
    ]));
}

/** Parts of a sentence with a dot between them. */
function parted(parts) {
    return parts.flatMap((part, index) => index === 0 ? [part] : [" · ", part]);
}

/**
 * Where visits were: at their nodes and rooms on the floor plan, and those without either on a grid of latitude and
 * longitude. However many were at one place, they are one circle.
 *
 * @param {{ typeOf: (visit) => object | undefined, updateItem: (item: Element, visit) => void,
 *     narrow: (filter: object) => void }} options `narrow` shows the list of one node or room.
 */
function makeMap({ api, site, drawSoon }, { typeOf, updateItem, narrow }) {
    const plan = makeStage("discover-plan plan", t("discover.plan"));
    const grid = makeStage("discover-grid", t("discover.grid"));
    const storeys = makeStoreys(() => drawSoon());
    const pictureShape = makePictureShape();
    const wrong = make("p", "fault");
    wrong.hidden = true;
    const off = make("p", "detail");
    const none = make("p", "empty-list", t("discover.map-none"));
    const here = make("h2");
    const away = makeButton(t("form.close"), () => {
        picked = null;
        drawSoon();
    }, "quiet");
    const list = make("ol", "discover-list");
    const near = make("section", "discover-here", make("div", "discover-head", here, away), list);
    const planBox = make("section", "", make("h2", "", t("discover.plan-title")), storeys.element,
        make("div", "panel discover-panel", plan.element));
    const gridBox = make("section", "", make("h2", "", t("discover.grid-title")), make("p", "detail", t("discover.grid-lead")),
        make("div", "panel discover-panel", grid.element));
    const element = make("div", "discover-map", wrong, none, planBox, gridBox, near, off);
    /** What stands where, as its rows say; `null`: not read yet. */
    let places = null;
    let isAsked = false;
    let pictures = new Map();
    /** The ids of the visits whose circle was pressed, of which there is no other list; `null`: nobody pressed one. */
    let picked = null;

    async function load() {
        isAsked = true;
        try {
            const all = (kind) => api.all(`/api/v1/${kind}?limit=500`, kind);
            const [rooms, stations, nodes, found] = await Promise.all(
                [all("rooms"), all("stations"), all("nodes"), readPictures(api)]);
            [places, pictures] = [placesOf(rooms, stations, nodes), found];
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(wrong, refusalWords(error).filter(Boolean).join(" "));
            wrong.hidden = false;
            places = placesOf([], [], []);
        }
        drawSoon();
    }

    /** What a circle says: how many, of what most are, and where. */
    function label({ visits }, name) {
        const type = typeOf({ type: mostFrequent(visits) })?.name ?? t("discover.unknown");
        return name === "" ? t("discover.cluster", { n: visits.length, type }) :
            t("discover.cluster-at", { n: visits.length, type, place: name });
    }

    function drawPlan(rows) {
        const clusters = new Map();
        const lost = [];
        for (const one of rows) {
            const at = (one.node === undefined ? null : places.nodes.get(one.node)) ??
                (one.room === undefined ? null : places.rooms.get(one.room)) ?? null;
            if (at === null) {
                lost.push(one);
                continue;
            }
            const isNode = one.node !== undefined && places.nodes.has(one.node);
            const key = isNode ? `node ${one.node}` : `room ${one.room}`;
            if (!clusters.has(key)) {
                clusters.set(key, { key, at, visits: [], narrowed: isNode ? { node: one.node } : { room: one.room },
                    name: isNode ? site.nameOf("nodes", one.node) : site.nameOf("rooms", one.room) });
            }
            clusters.get(key).visits.push(one);
        }
        planBox.hidden = places.rows.length === 0;
        storeys.draw(storeysOf(places.rows));
        const rooms = places.rows.filter(({ storey }) => (storey ?? 0) === storeys.value);
        const shown = [...clusters.values()].filter(({ at }) => at.storey === storeys.value);
        const picture = pictures.get(storeys.value) ?? null;
        const box = around(rooms, shown.map(({ at }) => at), picture);
        plan.frame(box, METRE);
        const drawn = [rooms.map(({ id, covered }) => [id, site.nameOf("rooms", id), covered]), picture, box];
        plan.base(JSON.stringify(drawn), () => [
            ...(picture === null ? [] : [pictureShape(picture)]),
            ...rooms.flatMap(({ id, covered }) => {
                const [x, y] = uppermost(outline(covered));
                return [makeShape("path", { class: "room", d: path(covered) }),
                    makeShape("text", { class: "room-name", x: x + 0.4, y: y + 1.1, "font-size": 0.8 },
                        site.nameOf("rooms", id))];
            }),
        ]);
        plan.show(shown.map((one) => ({
            ...one, x: one.at.x, y: one.at.y, label: label(one, one.name), press: () => narrow(one.narrowed),
        })), typeOf);
        // Whoever looks at one storey should know that there is something on another.
        const others = [...clusters.values()].filter(({ at }) => at.storey !== storeys.value)
            .reduce((sum, { visits }) => sum + visits.length, 0);
        return { lost, others };
    }

    function drawGrid(rows) {
        gridBox.hidden = rows.length === 0;
        if (rows.length === 0) return;
        const { west, north, wide, high } = extent(rows);
        const cells = new Map();
        for (const one of rows) {
            const x = Math.min(CELLS - 1, Math.floor((one.longitude - west) / wide * CELLS));
            const y = Math.min(CELLS - 1, Math.floor((north - one.latitude) / high * CELLS));
            const key = `cell ${x} ${y}`;
            if (!cells.has(key)) cells.set(key, { key, x: x + 0.5, y: y + 0.5, visits: [] });
            cells.get(key).visits.push(one);
        }
        grid.frame([0, 0, CELLS, CELLS], 0);
        grid.base(JSON.stringify([west, north, wide, high]), () => graticule(west, north, wide, high));
        grid.show([...cells.values()].map((one) => {
            const [{ id }] = one.visits;
            if (one.visits.length === 1) {
                return { ...one, key: `visit ${id}`, label: label(one, ""), href: `/discover/${encodeURIComponent(id)}` };
            }
            return { ...one, label: label(one, ""), press: () => {
                picked = new Set(one.visits.map((visit) => visit.id));
                drawSoon();
            } };
        }), typeOf);
    }

    return {
        element,
        /** @param {object[] | null} told `null`: they are on their way. */
        draw(told) {
            if (!isAsked) load();
            if (places === null) return;
            const rows = told ?? [];
            const { lost, others } = drawPlan(rows);
            const abroad = lost.filter(({ latitude, longitude }) => Number.isFinite(latitude) && Number.isFinite(longitude));
            drawGrid(abroad);
            const unplaced = lost.length - abroad.length;
            off.hidden = unplaced === 0 && others === 0;
            setText(off, [others > 0 ? t("discover.other-storey", { n: others }) : "",
                unplaced > 0 ? t("discover.unplaced", { n: unplaced }) : ""].filter(Boolean).join(" "));
            none.hidden = told === null || !planBox.hidden || !gridBox.hidden;
            const chosen = picked === null ? [] : abroad.filter(({ id }) => picked.has(id));
            near.hidden = chosen.length === 0;
            setText(here, t("discover.here", { n: chosen.length }));
            showList(list, chosen, ({ id }) => String(id), makeVisit, updateItem);
        },
    };
}

/** A drawing with circles over it that can be pressed, which are as large on any screen. */
function makeStage(className, label) {
    const svg = makeShape("svg", { class: className, role: "img", "aria-label": label });
    const marks = make("ul", "discover-marks");
    const element = make("div", "discover-stage", svg, marks);
    let [left, top, wide, high] = [0, 0, 1, 1];
    let known = "";
    /** What pressing each does, as it was drawn last. */
    const presses = new Map();
    return {
        element,
        /** Shows a part of the drawing; `least`: pixels of a unit at least, and a third of the most; 0: as the style says. */
        frame([x, y, x2, y2], least) {
            [left, top, wide, high] = [x, y, x2 - x, y2 - y];
            svg.setAttribute("viewBox", `${left} ${top} ${wide} ${high}`);
            if (least === 0) return;
            element.style.setProperty("min-width", `${wide * least}px`);
            element.style.setProperty("max-width", `${wide * least * 3}px`);
        },
        /** Draws what lies beneath, if it is another than before. */
        base(key, shapes) {
            if (key === known) return;
            known = key;
            svg.replaceChildren(...shapes());
        },
        /** Shows circles: `{ key, x, y, visits, label, href }` for a link, or with `press` for a button. */
        show(clusters, typeOf) {
            presses.clear();
            for (const { key, press } of clusters) presses.set(key, press);
            showList(marks, clusters, ({ key }) => key, ({ key, href }) => {
                const mark = href === undefined ? makeButton("", () => presses.get(key)?.()) : makeLink(href, "");
                mark.className = "discover-cluster button";
                return make("li", "", mark);
            }, (item, { x, y, visits, label, href }) => {
                const mark = item.firstElementChild;
                if (href !== undefined && mark.getAttribute("href") !== href) mark.href = href;
                item.style.setProperty("left", `${(x - left) / wide * 100}%`);
                item.style.setProperty("top", `${(y - top) / high * 100}%`);
                paint(mark, typeOf({ type: mostFrequent(visits) })?.colour);
                setText(mark, number(visits.length));
                if (mark.getAttribute("aria-label") !== label) {
                    mark.setAttribute("aria-label", label);
                    mark.title = label;
                }
            });
        },
    };
}

/** The type that most of them have; of equally many, the first by its slug. */
function mostFrequent(visits) {
    const counts = new Map();
    for (const { type } of visits) counts.set(type, (counts.get(type) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || compare(a[0] ?? "", b[0] ?? ""))[0]?.[0];
}

/** Where rooms and nodes are, in metres. Rooms that nobody measured stand side by side below the others. */
function placesOf(rows, stations, nodes) {
    const bottom = Math.max(0, ...rows.filter(({ area_m: area }) => area).map(({ area_m: area }) => bounds(area)[3]));
    let beside = 0;
    const rooms = rows.map((room) => {
        if (room.area_m) return { ...room, covered: room.area_m };
        beside += 1;
        return { ...room, covered: [(beside - 1) * 9, bottom + 1, beside * 9 - 1, bottom + 6] };
    });
    const spots = new Map(rooms.map(({ id, covered, storey }) => {
        const [x, y] = middle(covered);
        return [id, { x, y, storey: storey ?? 0 }];
    }));
    const stationOf = new Map(stations.map((one) => [one.id, one]));
    const isPlaced = (one) => Number.isFinite(one?.x_m) && Number.isFinite(one?.y_m);
    const counts = new Map();
    const found = new Map();
    for (const node of nodes) {
        const station = stationOf.get(node.station);
        const room = node.room ?? station?.room;
        const spot = spots.get(room);
        const exact = isPlaced(node) ? node : isPlaced(station) ? station : null;
        if (exact !== null) {
            found.set(node.id, { x: exact.x_m, y: exact.y_m, storey: spot?.storey ?? 0 });
        } else if (spot !== undefined) {
            // Nodes of one room that nobody measured stand beside each other. Its middle is free for the room's own circle.
            const count = (counts.get(room) ?? 0) + 1;
            counts.set(room, count);
            found.set(node.id, { ...spot, x: spot.x + (count % 2 === 0 ? -2 : 2) * Math.ceil(count / 2) });
        }
    }
    return { rows: rooms, rooms: spots, nodes: found };
}

/** The rectangle around all that a storey shows, as `[left, top, right, bottom]`. */
function around(rooms, spots, picture) {
    const areas = [...rooms.map(({ covered }) => bounds(covered)), ...spots.map(({ x, y }) => [x - 1, y - 1, x + 1, y + 1]),
        ...(picture === null ? [] : [[picture.x_m, picture.y_m, picture.x_m + picture.width_m, picture.y_m + picture.height_m]])];
    return [
        Math.min(0, ...areas.map((area) => area[0])) - MARGIN, Math.min(0, ...areas.map((area) => area[1])) - MARGIN,
        Math.max(1, ...areas.map((area) => area[2])) + MARGIN, Math.max(1, ...areas.map((area) => area[3])) + MARGIN,
    ];
}

/** The part of the world that holds all visits, as wide as it is high on the ground. */
function extent(rows) {
    const [latitudes, longitudes] = [rows.map(({ latitude }) => latitude), rows.map(({ longitude }) => longitude)];
    const least = (all) => all.reduce((a, b) => Math.min(a, b));
    const most = (all) => all.reduce((a, b) => Math.max(a, b));
    const latitude = (least(latitudes) + most(latitudes)) / 2;
    const longitude = (least(longitudes) + most(longitudes)) / 2;
    // A degree of longitude is shorter, the farther it is from the equator.
    const scale = Math.max(0.01, Math.cos(latitude * Math.PI / 180));
    const span = 1.1 * Math.max(LEAST_DEGREES, most(latitudes) - least(latitudes), (most(longitudes) - least(longitudes)) * scale);
    return { west: longitude - span / scale / 2, north: latitude + span / 2, wide: span / scale, high: span };
}

/** Lines of latitude and longitude with their degrees, in units of cells. */
function graticule(west, north, wide, high) {
    const shapes = [];
    const lines = (start, span, draw) => {
        const step = roundStep(span / 5);
        const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
        // Counted, so that errors of rounding do not add up.
        for (let count = Math.ceil(start / step); count * step <= start + span; count += 1) {
            draw((count * step - start) / span * CELLS, `${(count * step).toFixed(digits)}°`.replace("-", "\u2212"));
        }
    };
    lines(west, wide, (x, words) => shapes.push(
        makeShape("line", { class: "discover-line", x1: x, x2: x, y1: 0, y2: CELLS }),
        makeShape("text", { x: x + 0.2, y: CELLS - 0.3, "font-size": 0.7 }, words)));
    lines(north - high, high, (y, words) => shapes.push(
        makeShape("line", { class: "discover-line", x1: 0, x2: CELLS, y1: CELLS - y, y2: CELLS - y }),
        makeShape("text", { x: 0.2, y: CELLS - y - 0.2, "font-size": 0.7 }, words)));
    return shapes;
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function roundStep(rough) {
    const power = 10 ** Math.floor(Math.log10(rough));
    return ([1, 2, 5].find((one) => one * power >= rough) ?? 10) * power;
}
