import { bounds, holds, outline, path, uppermost } from "../kit/area.js";
import { make, makeShape, setData, setSentence, setText, showList } from "../kit/element.js";
import { refusalWords } from "../kit/form.js";
import { compare, sentence, t } from "../words/words.js";
import { alertLines } from "./nodes.js";
import { makePlaceNames } from "./place-names.js";
import { makePictureShape, readPictures } from "./plan-picture.js";
import { STATION_SHAPES, isHere, peopleOf } from "./presence.js";
import { makeStoreys, storeysOf } from "./storeys.js";

/** The least pixels of a metre: names are 12 pixels high then. */
const METRE = 22;
/** How much of a metre is left free around the rooms. */
const MARGIN = 1;
/** How far apart people stand in a drawing who are at one place, in metres. */
const APART = 1.1;
/** How far apart rows of stations are whose places nobody measured, in metres. */
const ROW = 2.6;
/** What was is asked for again after so long, in milliseconds. */
const AGAIN_MS = 60_000;

/** The rooms in metres, with stations, nodes and people; for who reads reports also an earlier time of the day. */
export default async function plan(main, tools) {
    const { site, session, time, api, drawSoon } = tools;
    const lead = make("p", "detail");
    const svg = makeShape("svg", { class: "plan", role: "img" });
    const list = make("ul", "plan-list");
    const slider = makeSlider(tools, drawSoon);
    const names = session.may("places.write") ? makePlaceNames(tools) : null;
    const storeys = makeStoreys(() => drawSoon());
    let pictures = new Map();
    const pictureShape = makePictureShape();
    main.append(lead, storeys.element, make("div", "panel plan-panel", svg, ...(session.may("reports") ? [slider.element] : [])), list,
        ...(names === null ? [] : [names.element]));
    const fault = make("p", "fault");
    fault.hidden = true;
    lead.after(fault);
    let rows = null;
    try {
        // Whoever looks on without an account may not read rows: the rooms are drawn as squares side by side.
        if (session.may("places.read")) {
            [rows, pictures] = await Promise.all([readRows(api, session.may("live")), readPictures(api)]);
        }
    } catch (error) {
        setText(fault, refusalWords(error)[0]);
        fault.hidden = false;
    }
    let drawn = "";

    function draw(now) {
        names?.draw();
        const known = named(rows ?? fromNames(site), site);
        const people = slider.people(now) ?? livePeople(site);
        storeys.draw(storeysOf(known.rooms));
        const stations = new Map(known.stations.map(({ id }) => [id, slider.isLive ?
            site.payload("station", id, "state")?.state ?? "unknown" : null]));
        const deaf = new Set(alertLines(site, now).filter(({ node }) => node).map(({ node }) => node));
        const silent = new Set(known.rooms.filter(({ id }) =>
            slider.isLive && site.payload("room", id, "state")?.count === null).map(({ id }) => id));
        // More may be in than whoever looks may see.
        const countOf = (id) => (slider.isLive ? site.payload("room", id, "state")?.count : null) ?? 0;
        const counts = new Map(known.rooms.map(({ id }) => [id, countOf(id)]));
        setText(lead, slider.isLive ? t("plan.lead", { n: site.own("state")?.present ?? people.length }) :
            t("plan.lead-then", { n: people.length, time: slider.words(time) }));
        const key = JSON.stringify([known, people, [...stations], [...deaf], [...silent], [...counts], storeys.value]);
        if (key === drawn) return;
        drawn = key;
        drawPlan(svg, onStorey(known, storeys.value), {
            people: people.filter(({ room }) => storeyOf(known.rooms, room) === storeys.value), stations, deaf, silent, site,
            picture: pictures.get(storeys.value) ?? null, pictureShape,
        });
        showList(list, known.rooms, ({ id }) => id, () => make("li"), (element, room) => {
            const names = people.filter((one) => one.room === room.id).map(({ name }) => ({ name }));
            // Whoever may see everybody will in a moment: the count came first.
            const others = session.may("live") ? 0 : Math.max(0, counts.get(room.id) - names.length);
            setData(element, { room: room.id });
            setSentence(element, sentence(silent.has(room.id) ? "plan.room-silent" : roomWord(names.length, others), {
                room: { name: room.name }, n: others,
                people: names.flatMap((name, index) => index === 0 ? [name] : [", ", name]),
            }));
        });
    }
    return { draw };
}

/** On which storey a room is; who is in none is told at the entrance. */
function storeyOf(rooms, room) {
    return rooms.find(({ id }) => id === room)?.storey ?? 0;
}

/** What is on a storey. */
function onStorey({ rooms, stations, nodes }, storey) {
    const isThere = ({ room }) => storeyOf(rooms, room) === storey;
    return {
        rooms: rooms.filter((room) => (room.storey ?? 0) === storey), stations: stations.filter(isThere),
        nodes: nodes.filter(isThere),
    };
}

/** Which sentence says who is in a room, of whom some may not be named. */
function roomWord(named, others) {
    if (others === 0) return named === 0 ? "plan.room-empty" : "plan.room";
    return named === 0 ? "plan.room-unnamed" : "plan.room-others";
}

async function readRows(api, withNodes) {
    const all = (kind) => api.all(`/api/v1/${kind}?limit=500`, kind);
    const [rooms, stations, nodes] = await Promise.all([
        all("rooms"), all("stations"), withNodes ? all("nodes") : [],
    ]);
    return { rooms: placed(rooms, stations), stations, nodes };
}

/** With what the site calls them now: rows are read once. */
function named({ rooms, stations, nodes }, site) {
    const rename = (kind, rows) => rows.map((row) => ({ ...row, name: site.nameOf(kind, row.id) }));
    return { rooms: rename("rooms", rooms), stations: rename("stations", stations), nodes: rename("nodes", nodes) };
}

function livePeople(site) {
    return peopleOf(site).filter(isHere).map(({ user, name, presence }) => ({
        user, name, room: presence.room ?? null, station: presence.station ?? null, state: presence.state,
    }));
}

/** The slider over today; at its end it is live. */
function makeSlider({ site, time, api }, changed) {
    const input = make("input");
    input.type = "range";
    input.id = "time";
    input.min = "0";
    input.max = "1440";
    input.value = "1440";
    input.setAttribute("aria-label", t("plan.time"));
    const shown = make("output", "time");
    shown.htmlFor.add("time");
    const fault = make("p", "fault");
    fault.hidden = true;
    const element = make("div", "slider", input, shown, fault);
    const slider = {
        element, isLive: true, at: null, stays: null, askedAt: -Infinity,
        words: (clock) => clock.clock(slider.at),
        people(now) {
            if (now === null) return null;
            const start = time.moment(time.date(now), "00:00") ?? now;
            slider.at = start + (now - start) * Number(input.value) / 1440;
            slider.isLive = Number(input.value) >= 1440;
            setText(shown, slider.isLive ? t("plan.now") : time.clock(slider.at));
            input.setAttribute("aria-valuetext", shown.textContent);
            if (slider.isLive) return null;
            return slider.stays === null ? [] : peopleAt(slider.stays, slider.at, site);
        },
    };
    input.addEventListener("input", async () => {
        changed();
        if (slider.isAsked || slider.isLive || performance.now() - slider.askedAt < AGAIN_MS) return;
        slider.isAsked = true;
        slider.askedAt = performance.now();
        try {
            slider.stays = (await api.get("/api/v1/reports/stays.json")).rows;
            fault.hidden = true;
        } catch (error) {
            setText(fault, refusalWords(error)[0]);
            fault.hidden = false;
        }
        slider.isAsked = false;
        changed();
    });
    return slider;
}

function peopleAt(stays, at, site) {
    const people = new Map();
    for (const { user, name, level, place, from_ms: from, to_ms: to } of stays) {
        if (from > at || (known(to) !== null && to <= at)) continue;
        const one = people.get(user) ?? {
            user, name: name ?? site.nameOf("users", user), room: null, station: null, state: "present",
        };
        one[level] = place ?? null;
        people.set(user, one);
    }
    return [...people.values()].sort((a, b) => compare(a.name, b.name));
}

/** Rooms with their corners in metres; those without stand below the others, as high as their stations need. */
function placed(rooms, stations) {
    const most = Math.max(0, ...rooms.map(({ id }) => stations.filter(({ room }) => room === id).length));
    const height = 3 + ROW * Math.ceil(most / 2);
    const bottom = Math.max(0, ...rooms.filter(({ area_m: area }) => area).map(({ area_m: area }) => bounds(area)[3]));
    let next = 0;
    return rooms.map((room) => {
        if (room.area_m) return { ...room, area: bounds(room.area_m), covered: room.area_m };
        next += 1;
        const area = [(next - 1) * 9, bottom + 1, next * 9 - 1, bottom + 1 + height];
        return { ...room, area, covered: area };
    });
}

function fromNames(site) {
    const rooms = site.listed("rooms").map((id) => ({ id }));
    const stations = site.listed("stations").map((id) => ({
        id, room: site.payload("station", id, "info")?.room ?? null,
    }));
    return { rooms: placed(rooms, stations), stations, nodes: [] };
}

function drawPlan(svg, { rooms, stations, nodes }, { people, stations: states, deaf, silent, site, picture, pictureShape }) {
    const areas = rooms.map(({ area }) => area);
    if (picture !== null) {
        areas.push([picture.x_m, picture.y_m, picture.x_m + picture.width_m, picture.y_m + picture.height_m]);
    }
    const left = Math.min(0, ...areas.map((area) => area[0])) - MARGIN;
    const top = Math.min(0, ...areas.map((area) => area[1])) - MARGIN;
    const right = Math.max(1, ...areas.map((area) => area[2])) + MARGIN;
    const bottom = Math.max(1, ...areas.map((area) => area[3])) + MARGIN;
    svg.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
    svg.setAttribute("font-size", "0.8");
    // On a phone it is wider than the screen, and names can be read: its panel scrolls.
    svg.style.minWidth = `${(right - left) * METRE}px`;
    svg.setAttribute("aria-label", t("plan.picture"));
    const shapes = [hatching(), ...(picture === null ? [] : [pictureShape(picture)])];
    for (const room of rooms) {
        const d = path(room.covered);
        shapes.push(makeShape("path", { class: "room", d, "data-room": room.id }));
        if (silent.has(room.id)) {
            shapes.push(makeShape("path", { class: "silent", d, fill: "url(#hatching)" },
                makeShape("title", {}, t("live.no-node"))));
        }
        const [x, y] = uppermost(outline(room.covered));
        shapes.push(makeShape("text", { class: "room-name", x: x + 0.4, y: y + 1.1 }, room.name));
    }
    for (const node of nodes) {
        if (!Number.isFinite(node.x_m) || !Number.isFinite(node.y_m)) continue;
        const isDeaf = deaf.has(node.id);
        shapes.push(makeShape("path", {
            class: "node", "data-state": isDeaf ? "deaf" : "well", "data-node": node.id,
            d: `M${node.x_m} ${node.y_m - 0.35}l0.35 0.35l-0.35 0.35l-0.35 -0.35z`,
        }, makeShape("title", {}, `${node.name}: ${t(isDeaf ? "plan.node-trouble" : "plan.node-well")}`)));
    }
    const spots = new Map();
    const spot = (key, from) => {
        if (!spots.has(key)) spots.set(key, { ...from, count: 0 });
        return spots.get(key);
    };
    const places = spread(rooms, stations);
    for (const station of stations) {
        const { x, y } = places.get(station.id);
        const state = states.get(station.id) ?? "unknown";
        shapes.push(makeShape("g", { class: "spot", "data-state": state, "data-station": station.id },
            makeShape("text", { class: "shape", x, y: y + 0.3 }, STATION_SHAPES[state] ?? "○"),
            makeShape("text", { class: "station-name", x, y: y + 0.9 }, station.name),
            makeShape("title", {}, states.get(station.id) === null ? station.name :
                `${station.name}: ${t(`station.${state}`)}`)));
    }
    for (const person of people) {
        const room = rooms.find(({ id }) => id === person.room);
        const at = person.station !== null && places.has(person.station) ? places.get(person.station) : room ?
            freeIn(room) : { x: left + 1, y: bottom + 0.4 };
        const place = spot(person.station ?? person.room ?? "", at);
        const x = place.x + place.count % 6 * APART;
        const y = place.y - 1 - Math.floor(place.count / 6) * APART;
        place.count += 1;
        const mark = makeShape("g", { class: "mark-person", "data-user": person.user, "data-state": person.state },
            makeShape("circle", { cx: x, cy: y, r: 0.5 }),
            makeShape("text", { x, y: y + 0.22 }, initials(person.name)),
            makeShape("title", {}, person.name));
        shapes.push(mark);
    }
    svg.replaceChildren(...shapes);
}

/** Where people stand who are in a room and at no station: along its lower side, of any shape. */
function freeIn({ area: [x, , x2, y2], covered }) {
    const step = Math.max((x2 - x) / 40, 0.1);
    for (let left = x + 0.9; left < x2; left += step) {
        if (holds(covered, left, y2 - 0.8)) return { x: left, y: y2 + 0.2 };
    }
    return { x: x + 0.9, y: y2 + 0.2 };
}

/** Where each station stands: as its row says, else side by side in its room. */
function spread(rooms, stations) {
    const places = new Map();
    const counts = new Map();
    for (const station of stations) {
        if (Number.isFinite(station.x_m) && Number.isFinite(station.y_m)) {
            places.set(station.id, { x: station.x_m, y: station.y_m });
            continue;
        }
        const area = rooms.find(({ id }) => id === station.room)?.area ?? [0, 0, 1, 1];
        const count = counts.get(station.room) ?? 0;
        counts.set(station.room, count + 1);
        places.set(station.id, { x: area[0] + 2 + count % 2 * 4, y: area[1] + 3 + Math.floor(count / 2) * ROW });
    }
    return places;
}

function hatching() {
    return makeShape("defs", {}, makeShape("pattern", {
        id: "hatching", width: 0.6, height: 0.6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
    }, makeShape("line", { x1: 0, x2: 0, y1: 0, y2: 0.6 })));
}

/** The first letters of two words of a name. */
function initials(name) {
    return name.trim().split(/\s+/).slice(0, 2).map((word) => [...word][0] ?? "").join("").toLocaleUpperCase();
}
