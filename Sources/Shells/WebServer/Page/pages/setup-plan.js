import { Refusal } from "../data/api.js";
import { bounds, holds, middle, outline, path, uppermost } from "../kit/area.js";
import { make, makeLink, makeShape, setData, setText, showList } from "../kit/element.js";
import { makeButton, makeForm, refusalWords } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { compare, number, t } from "../words/words.js";
import { makePlanPicture } from "./plan-picture.js";
import { isHere, peopleOf } from "./presence.js";
import { makeStoreys, storeysOf } from "./storeys.js";

/** Things are moved in steps of so many metres; with Shift by arrow keys by whole ones. */
const STEP = 0.25;
/** The least pixels of a metre. */
const METRE = 22;
/** No room is smaller. */
const LEAST = 1;
/** How much is free around what is drawn, in metres. */
const MARGIN = 3;
/** A new room. */
const [WIDTH, DEPTH] = [8, 6];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Two taps within so many milliseconds are one that is meant twice. */
const TWICE_MS = 500;
/** The most corners of a room. */
const MOST_CORNERS = 32;

const snap = (value) => Math.round(value / STEP) * STEP;

/**
 * The plan of the site, drawn by hand: rooms are moved and pulled at their corners, of which each side can have more;
 * stations and nodes are dragged. Whoever has no mouse uses arrow keys, or the figures below. It is saved as one revision.
 */
export default function setupPlan(main, tools) {
    const { site, api, announce } = tools;
    /** What is stored, and what is drawn: `{ rooms, stations, nodes }` of rows with places. */
    let [stored, drawn, tag] = [null, null, null];
    /** What was drawn before each change. */
    const past = [];
    let selected = null;
    let drag = null;
    /** Which corner was touched last, and when. A drawing that is drawn anew has no double clicks. */
    let lastTap = null;
    /** While it is on its way nothing is moved: what is answered takes its place. */
    let isSaving = false;
    const storeys = makeStoreys(() => {
        selected = null;
        drawAll();
    });

    const svg = makeShape("svg", { class: "plan plan-editor", tabindex: "-1" });
    svg.setAttribute("aria-label", t("plan-editor.picture"));
    svg.setAttribute("role", "group");
    /** People come and go, and nothing else is drawn anew for that. */
    const dots = makeShape("g");
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const save = makeButton(t("setup.save"), store, "go");
    save.id = "save-plan";
    const undo = makeButton(t("setup.undo"), () => {
        if (past.length > 0 && !isSaving) drawn = past.pop();
        changed();
    }, "quiet");
    undo.id = "undo-plan";
    // As long as something is not saved, a form says so to whoever leaves.
    const keeper = make("form", "buttons", save, undo, makeLink("/setup", t("setup.back")));
    keeper.addEventListener("submit", (event) => event.preventDefault());
    const about = make("div", "panel");
    about.hidden = true;
    const loose = make("ul", "entries");
    const looseBox = make("section", "", make("h2", "", t("plan-editor.loose")), loose);
    const picture = makePlanPicture(tools, () => storeys.value, () => drawAll());
    /** The room of each station and node, by kind and id. */
    let rooms = new Map();
    const part = makePart(async () => {
        const [{ data, etag }, stations, nodes] = await Promise.all([api.ask("GET", "/api/v1/plan"),
            api.all("/api/v1/stations?limit=500", "stations"), api.all("/api/v1/nodes?limit=500", "nodes")]);
        rooms = new Map([["stations", stations], ["nodes", nodes]].flatMap(([kind, all]) =>
            all.map(({ id, room }) => [keyOf({ kind, id }), room])));
        [stored, drawn, tag] = [data, structuredClone(data), etag];
        past.length = 0;
        await picture.load();
        changed();
    });
    main.append(make("p", "detail", t("plan-editor.lead")), part.element, keeper, fault, storeys.element,
        make("div", "panel plan-panel", svg), about, looseBox, picture.element);
    part.load();

    const kinds = ["rooms", "stations", "nodes"];
    const find = ({ kind, id }) => drawn[kind].find((row) => row.id === id);
    const isPlaced = (kind, row) => kind === "rooms" ? Array.isArray(row.area_m) : Number.isFinite(row.x_m);
    const keyOf = ({ kind, id }) => `${kind} ${id}`;

    function begin() {
        past.push(structuredClone(drawn));
        if (past.length > 200) past.shift();
    }

    function changed() {
        const isDirty = stored !== null && JSON.stringify(stored) !== JSON.stringify(drawn);
        if (isDirty) keeper.dataset.dirty = "true";
        else delete keeper.dataset.dirty;
        fault.hidden = true;
        drawAll();
    }

    /** Moves something by so many metres; a room takes along what stands in it. */
    function move({ kind, id, corner }, dx, dy, from = drawn) {
        const before = from[kind].find((row) => row.id === id);
        const row = find({ kind, id });
        if (kind !== "rooms") {
            [row.x_m, row.y_m] = [snap(before.x_m + dx), snap(before.y_m + dy)];
            return;
        }
        if (corner !== undefined && before.area_m.length > 4) {
            row.area_m = before.area_m.with(2 * corner, snap(before.area_m[2 * corner] + dx))
                .with(2 * corner + 1, snap(before.area_m[2 * corner + 1] + dy));
            return;
        }
        const [x, y, x2, y2] = bounds(before.area_m);
        if (corner !== undefined) {
            const [left, top] = [corner % 2 === 0, corner < 2];
            row.area_m = [
                left ? Math.min(snap(x + dx), x2 - LEAST) : x, top ? Math.min(snap(y + dy), y2 - LEAST) : y,
                left ? x2 : Math.max(snap(x2 + dx), x + LEAST), top ? y2 : Math.max(snap(y2 + dy), y + LEAST),
            ];
            return;
        }
        const [byX, byY] = [snap(dx), snap(dy)];
        row.area_m = before.area_m.map((value, index) => value + (index % 2 === 0 ? byX : byY));
        const isInside = (one) => one.x_m >= x && one.x_m <= x2 && one.y_m >= y && one.y_m <= y2 &&
            (before.area_m.length === 4 || holds(before.area_m, one.x_m, one.y_m));
        for (const other of ["stations", "nodes"]) {
            for (const one of from[other]) {
                if (!isPlaced(other, one) || storeyOf(other, one) !== (before.storey ?? 0) || !isInside(one)) continue;
                Object.assign(find({ kind: other, id: one.id }), { x_m: one.x_m + byX, y_m: one.y_m + byY });
            }
        }
    }

    /** On which storey something is drawn: a room says it, the others are in one. */
    function storeyOf(kind, row) {
        if (kind === "rooms") return row.storey ?? 0;
        const room = rooms.get(keyOf({ kind, id: row.id }));
        return drawn.rooms.find(({ id }) => id === room)?.storey ?? 0;
    }

    const isShown = (kind, row) => isPlaced(kind, row) && storeyOf(kind, row) === storeys.value;

    /** Puts a corner into the middle of a side of a room, and returns its number. */
    function addCorner(id, side) {
        const row = find({ kind: "rooms", id });
        const corners = outline(row.area_m);
        const [[x, y], [x2, y2]] = [corners[side], corners[(side + 1) % corners.length]];
        corners.splice(side + 1, 0, [snap((x + x2) / 2), snap((y + y2) / 2)]);
        row.area_m = corners.flat();
        return side + 1;
    }

    function place(event) {
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
        return [point.x, point.y];
    }

    svg.addEventListener("pointerdown", (event) => {
        const target = event.target.closest("[data-kind]");
        if (drawn !== null && picture.isMeasuring) {
            picture.point(...place(event));
            return;
        }
        if (target === null || drawn === null || isSaving) {
            selected = null;
            drawAll();
            return;
        }
        const { kind, id, side } = target.dataset;
        let { corner } = target.dataset;
        selected = { kind, id };
        const tap = { at: event.timeStamp, key: `${id} ${corner}` };
        const isTwice = corner !== undefined && tap.key === lastTap?.key && tap.at - lastTap.at < TWICE_MS;
        lastTap = tap;
        if (isTwice && find(selected).area_m.length > 6) {
            begin();
            find(selected).area_m = find(selected).area_m.toSpliced(2 * Number(corner), 2);
            lastTap = null;
            changed();
            return;
        }
        if (side !== undefined) {
            begin();
            corner = addCorner(id, Number(side));
        }
        drag = { thing: { kind, id, ...(corner === undefined ? {} : { corner: Number(corner) }) }, at: place(event),
            from: structuredClone(drawn), isMoved: side !== undefined };
        svg.setPointerCapture(event.pointerId);
        drawAll();
    });
    svg.addEventListener("pointermove", (event) => {
        if (drag === null) return;
        const [x, y] = place(event);
        const [dx, dy] = [x - drag.at[0], y - drag.at[1]];
        if (!drag.isMoved && Math.hypot(dx, dy) < STEP / 2) return;
        if (!drag.isMoved) {
            begin();
            drag.isMoved = true;
        }
        move(drag.thing, dx, dy, drag.from);
        drawAll();
    });
    for (const end of ["pointerup", "pointercancel"]) {
        svg.addEventListener(end, () => {
            drag = null;
            if (drawn !== null) changed();
        });
    }
    svg.addEventListener("keydown", (event) => {
        const target = event.target.closest("[data-kind]");
        const by = ARROWS[event.key];
        if (target === null || by === undefined || isSaving) return;
        event.preventDefault();
        const { kind, id } = target.dataset;
        selected = { kind, id };
        begin();
        const far = event.shiftKey ? 1 : STEP;
        move({ kind, id }, by[0] * far, by[1] * far, structuredClone(drawn));
        changed();
        svg.querySelector(`[data-key="${keyOf(selected)}"]`)?.focus();
    });
    svg.addEventListener("focusin", (event) => {
        const target = event.target.closest("[data-kind]");
        if (target === null || drag !== null) return;
        selected = { kind: target.dataset.kind, id: target.dataset.id };
        drawAbout();
    });

    /** Puts what has no place yet into its room, or beside what is drawn. */
    function putIn(kind, id) {
        if (isSaving) return;
        begin();
        const row = find({ kind, id });
        const { x, y } = free();
        if (kind === "rooms") Object.assign(row, { area_m: [x, y, x + WIDTH, y + DEPTH], storey: storeys.value });
        else {
            [row.x_m, row.y_m] = middleOf(kind, id) ?? [x + 1, y + 1];
            storeys.value = storeyOf(kind, row);
        }
        selected = { kind, id };
        changed();
    }

    /** The middle of the room that something belongs to, if that is drawn. */
    function middleOf(kind, id) {
        const room = rooms.get(keyOf({ kind, id }));
        const area = drawn.rooms.find((one) => one.id === room)?.area_m;
        return area === undefined ? null : middle(area).map(snap);
    }

    /** A place to the right of everything. */
    function free() {
        const [, top, right] = extent();
        return { x: snap(right - MARGIN + 1), y: snap(top + MARGIN) };
    }

    function extent() {
        const xs = [], ys = [];
        const around = ([left, top, right, bottom]) => {
            xs.push(left, right);
            ys.push(top, bottom);
        };
        for (const row of drawn.rooms.filter((one) => isShown("rooms", one))) around(bounds(row.area_m));
        for (const kind of ["stations", "nodes"]) {
            for (const row of drawn[kind].filter((one) => isShown(kind, one))) around([row.x_m, row.y_m, row.x_m, row.y_m]);
        }
        const { shown } = picture;
        if (shown) around([shown.x_m, shown.y_m, shown.x_m + shown.width_m, shown.y_m + shown.height_m]);
        if (xs.length === 0) return [-MARGIN, -MARGIN, MARGIN, MARGIN];
        return [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN, Math.max(...xs) + MARGIN, Math.max(...ys) + MARGIN];
    }

    async function store() {
        const body = {};
        for (const kind of kinds) {
            const rows = drawn[kind].filter((row) =>
                JSON.stringify(row) !== JSON.stringify(stored[kind].find(({ id }) => id === row.id)));
            if (rows.length > 0) {
                body[kind] = rows.map((row) => kind === "rooms" ? { id: row.id, area_m: row.area_m ?? null, storey: row.storey ?? 0 } :
                    { id: row.id, x_m: row.x_m ?? null, y_m: row.y_m ?? null });
            }
        }
        if (Object.keys(body).length === 0 || isSaving) return;
        [isSaving, drag] = [true, null];
        drawAll();
        try {
            const { data, etag } = await api.ask("PATCH", "/api/v1/plan", { body, ifMatch: tag });
            [stored, drawn, tag] = [data, structuredClone(data), etag];
            past.length = 0;
            changed();
            announce(t("plan-editor.saved"));
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            const again = error.code === "precondition_failed" ? [" ", makeButton(t("plan-editor.again"), () => part.load(), "quiet")] : [];
            fault.replaceChildren(refusalWords(error).filter(Boolean).join(" "), ...again);
            fault.hidden = false;
        } finally {
            isSaving = false;
            drawAll();
        }
    }

    function drawAll() {
        if (drawn === null) return;
        save.disabled = isSaving || keeper.dataset.dirty === undefined;
        undo.disabled = isSaving || past.length === 0;
        storeys.draw(storeysOf(drawn.rooms), true);
        picture.draw();
        drawPicture();
        drawAbout();
        const rest = kinds.flatMap((kind) => drawn[kind].filter((row) => !isPlaced(kind, row)).map(({ id }) =>
            ({ kind, id, name: site.nameOf(kind, id) }))).sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
            compare(a.name, b.name));
        looseBox.hidden = rest.length === 0;
        showList(loose, rest, keyOf, ({ kind, id }) => {
            const button = makeButton("", () => putIn(kind, id), "ask");
            return make("li", "entry", make("span", "", make("bdi"), " ", make("span", "detail", t(`plan-editor.${kind}`))), button);
        }, (line, { name, kind, id }) => {
            setData(line, { loose: id, kind });
            setText(line.querySelector("bdi"), name);
            setText(line.lastElementChild, t("plan-editor.put"));
            line.lastElementChild.setAttribute("aria-label", t("plan-editor.put-named", { name }));
        });
    }

    function drawPicture() {
        const [left, top, right, bottom] = drag === null ? extent() : svg.viewBox.baseVal.width > 0 ?
            [svg.viewBox.baseVal.x, svg.viewBox.baseVal.y, svg.viewBox.baseVal.x + svg.viewBox.baseVal.width,
                svg.viewBox.baseVal.y + svg.viewBox.baseVal.height] : extent();
        svg.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
        // On a phone it is wider than the screen, so that a finger finds what it moves.
        svg.style.minWidth = `${(right - left) * METRE}px`;
        svg.setAttribute("font-size", "0.8");
        const shapes = picture.shapes;
        for (let x = Math.ceil(left); x <= right; x += 1) {
            shapes.push(makeShape("line", { class: x % 5 === 0 ? "grid five" : "grid", x1: x, x2: x, y1: top, y2: bottom }));
        }
        for (let y = Math.ceil(top); y <= bottom; y += 1) {
            shapes.push(makeShape("line", { class: y % 5 === 0 ? "grid five" : "grid", x1: left, x2: right, y1: y, y2: y }));
        }
        for (const row of drawn.rooms.filter((one) => isShown("rooms", one))) {
            const [x, y, x2, y2] = bounds(row.area_m);
            const corners = outline(row.area_m);
            const [nameX, nameY] = uppermost(corners);
            const name = site.nameOf("rooms", row.id);
            const size = t("plan-editor.size", { width: number(x2 - x), depth: number(y2 - y) });
            const group = thing("rooms", row.id, `${name}, ${size}`,
                makeShape("path", { class: "room", d: path(row.area_m) }),
                makeShape("text", { class: "room-name", x: nameX + 0.4, y: nameY + 1.1 }, name),
                makeShape("text", { class: "room-size", x: nameX + 0.4, y: nameY + 1.9 }, size));
            shapes.push(group);
            if (selected?.kind === "rooms" && selected.id === row.id) {
                const handle = (type, [cx, cy], r, data) => shapes.push(makeShape("circle", { class: type, cx, cy, r,
                    "data-kind": "rooms", "data-id": row.id, ...data }));
                // A side can be pulled at its middle, and has another corner then.
                for (const [side, [ax, ay]] of corners.entries()) {
                    const [bx, by] = corners[(side + 1) % corners.length];
                    if (corners.length < MOST_CORNERS) {
                        handle("corner side", [(ax + bx) / 2, (ay + by) / 2], 0.35, { "data-side": side });
                    }
                }
                const pulled = row.area_m.length > 4 ? corners : [[x, y], [x2, y], [x, y2], [x2, y2]];
                for (const [corner, at] of pulled.entries()) handle("corner", at, 0.5, { "data-corner": corner });
            }
        }
        // A node hangs beside its station, which is what people mean to move.
        for (const row of drawn.nodes.filter((one) => isShown("nodes", one))) {
            shapes.push(thing("nodes", row.id, site.nameOf("nodes", row.id), makeShape("path", { class: "node",
                d: `M${row.x_m} ${row.y_m - 0.5}l0.5 0.5l-0.5 0.5l-0.5 -0.5z` }),
            makeShape("title", {}, site.nameOf("nodes", row.id))));
        }
        for (const row of drawn.stations.filter((one) => isShown("stations", one))) {
            shapes.push(thing("stations", row.id, site.nameOf("stations", row.id),
                makeShape("circle", { class: "station-mark", cx: row.x_m, cy: row.y_m, r: 0.45 }),
                makeShape("text", { class: "station-name", x: row.x_m, y: row.y_m + 1.1 }, site.nameOf("stations", row.id))));
        }
        dots.replaceChildren(...liveDots());
        shapes.push(dots, ...picture.marks());
        const focused = document.activeElement?.dataset?.key;
        svg.replaceChildren(...shapes);
        if (focused) svg.querySelector(`[data-key="${focused}"]`)?.focus();
    }

    function thing(kind, id, label, ...shapes) {
        const isSelected = selected?.kind === kind && selected.id === id;
        return makeShape("g", { class: isSelected ? "thing selected" : "thing", tabindex: 0, role: "button", "aria-label": label,
            "data-kind": kind, "data-id": id, "data-key": keyOf({ kind, id }) }, ...shapes);
    }

    /** Who is where now, so that whoever draws sees whether it fits. */
    function liveDots() {
        return peopleOf(site).filter(isHere).flatMap(({ user, presence }) => {
            const station = drawn.stations.find(({ id }) => id === presence.station);
            const room = drawn.rooms.find(({ id }) => id === presence.room);
            const at = station && isShown("stations", station) ? [station.x_m + 0.7, station.y_m - 0.7] :
                !station && room && isShown("rooms", room) ? middle(room.area_m) : null;
            return at === null ? [] : [makeShape("circle", { class: "dot", cx: at[0], cy: at[1], r: 0.25, "data-user": user })];
        });
    }

    let aboutKey = "";

    /** The figures of what is chosen. */
    function drawAbout() {
        const row = selected === null ? undefined : find(selected);
        about.hidden = row === undefined || !isPlaced(selected.kind, row);
        const key = about.hidden ? "" : JSON.stringify([selected, row]);
        if (key === aboutKey || about.contains(document.activeElement) && drag === null && key !== "" && aboutKey !== "" &&
            JSON.parse(aboutKey)[0].id === selected.id) return;
        aboutKey = key;
        if (about.hidden) return;
        const { kind, id } = selected;
        const isPolygon = kind === "rooms" && row.area_m.length > 4;
        const values = isPolygon ? {} : kind === "rooms" ? { x: row.area_m[0], y: row.area_m[1],
            width: row.area_m[2] - row.area_m[0], depth: row.area_m[3] - row.area_m[1] } : { x: row.x_m, y: row.y_m };
        const form = makeForm({
            isFilter: true, go: t("plan-editor.set"),
            fields: [
                ...Object.entries(values).map(([name, value]) => ({
                    name, label: t(`plan-editor.${name}`), kind: "number", value, isNeeded: true, step: "any",
                    least: name === "width" || name === "depth" ? LEAST : -10_000, most: 10_000,
                })),
                ...(isPolygon ? [{ name: "corners", label: t("plan-editor.corners"), kind: "lines", isNeeded: true, least: 1,
                    most: 2000, rows: 6, hint: t("plan-editor.corners-hint"),
                    value: outline(row.area_m).map((corner) => corner.join("; ")).join("\n") }] : []),
                ...(kind === "rooms" ? [{ name: "storey", label: t("storey.label"), kind: "number", value: row.storey ?? 0,
                    isNeeded: true, step: 1, least: -9, most: 99, hint: t("storey.hint") }] : []),
            ],
            check: ({ corners }) => corners === undefined || cornersOf(corners) !== null ? null :
                ["corners", t("plan-editor.no-corners")],
            send: async (typed) => {
                if (isSaving) return;
                const [x, y, width, depth] = ["x", "y", "width", "depth"].map((name) => Number(typed[name]));
                begin();
                const one = find(selected);
                if (kind !== "rooms") Object.assign(one, { x_m: x, y_m: y });
                else {
                    one.area_m = isPolygon ? cornersOf(typed.corners) : [x, y, x + width, y + depth];
                    one.storey = storeys.value = Math.round(Number(typed.storey));
                }
                changed();
            },
        });
        const away = makeButton(t("plan-editor.take"), () => {
            if (isSaving) return;
            begin();
            const one = find({ kind, id });
            for (const member of ["area_m", "x_m", "y_m"]) delete one[member];
            selected = null;
            changed();
        }, "quiet danger");
        away.id = "take-off";
        about.replaceChildren(make("h2", "", make("bdi", "", site.nameOf(kind, id))), form, make("div", "buttons", away));
    }

    let told = "";
    return {
        draw() {
            if (drawn === null || drag !== null) return;
            dots.replaceChildren(...liveDots());
            const now = JSON.stringify(kinds.map((kind) => drawn[kind].map(({ id }) => site.nameOf(kind, id))));
            if (now === told) return;
            told = now;
            drawAll();
        },
    };
}

/** Lines of `x; y` as an area, a comma for a point, too; `null` if they are none. */
function cornersOf(text) {
    const corners = text.split("\n").filter((line) => line.trim() !== "")
        // `4.5; 2`, `4,5; 2`, `4.5, 2` and `4,5 2`.
        .map((line) => line.split(line.includes(";") ? ";" : /,\s+|\s+/).map((figure) => figure.trim().replace(",", "."))
            .filter(Boolean).map(Number));
    const isArea = corners.length >= 3 && corners.length <= MOST_CORNERS && corners.every((corner) =>
        corner.length === 2 && corner.every((value) => Number.isFinite(value) && Math.abs(value) <= 10_000));
    return isArea ? corners.flat() : null;
}
