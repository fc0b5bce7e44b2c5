import { STALE_MS } from "../data/clock.js";
import { make, makeLink, makeRow, makeTable, setData, setName, setText, showList } from "../kit/element.js";
import { makeButton, makeSearch } from "../kit/form.js";
import { makeRename, nameRename } from "../kit/rename.js";
import { NONE, age, compare, t } from "../words/words.js";
import { openAddTag } from "./add-tag.js";
import { makeStrangers } from "./strangers.js";

const COLUMNS = ["device", "kind", "strongest", "level", "by", "heard", "act"];
/** The keys of the words for kinds, and what an id of an unregistered device begins with. */
const KINDS = new Map([
    ["ibeacon", "ibeacon"], ["altbeacon", "altbeacon"], ["eddystone-uid", "eddystone"],
    ["eddystone-eid", "eddystone"], ["address", "address"], ["irk", "irk"], ["name", "name"],
    ["ib", "ibeacon"], ["ab", "altbeacon"], ["eu", "eddystone"], ["eid", "eddystone"], ["mac", "address"],
]);
/** So many are shown until somebody asks for more. */
const FEW = 40;
/** So many of them are not registered. */
const FEW_OTHERS = 10;
/** How far levels differ that count as one, in dB. */
const BAND = 10;
/** The levels at which the bar is empty and full, in dBm. */
const RANGE = [-100, -40];

/** What the nodes tell of that is not registered, if they do; then the registered ones, each at its strongest node. */
export default function devices(main, tools) {
    const { site, session, drawSoon } = tools;
    const mayWrite = session.may("people.write");
    const columns = COLUMNS.map((column) => t(`devices.${column}`));
    let showsAll = false;
    const { box, rows } = makeTable(t("page.devices"), columns, t("devices.none"));
    rows.id = "device-rows";
    const search = makeSearch(t("setup.search"), drawSoon);
    const more = makeButton("", () => {
        showsAll = !showsAll;
        drawSoon();
    }, "quiet");
    const heard = () => strangers(site).filter(({ beacon }) => !added.has(beacon)).map(({ beacon, strongest }) =>
        [beacon, `${site.nameOf("nodes", strongest.node)}, ${level(strongest.rssi)}`]);
    // What was added stays among what is heard and not registered for up to a minute.
    const added = new Set();
    const add = (identity) => openAddTag(tools, {
        heard: heard(), identity, done: (known) => {
            added.add(known);
            drawSoon();
        },
    });
    const button = makeButton(t("add-tag.title"), () => add(""), "go");
    button.id = "add-tag";
    const notice = session.may("places.write") ? makeStrangers(tools) : null;
    main.append(...(mayWrite ? [make("div", "buttons", button)] : []),
        ...(notice === null ? [] : [notice.element]), search.element, box, more);
    return {
        draw(now) {
            notice?.draw(now);
            // Registered ones stay in the list when silent: a flat battery should be seen.
            const known = site.listed("beacons").map((beacon) => device(site, beacon, now));
            known.sort((a, b) => compare(a.name, b.name) || compare(a.beacon, b.beacon));
            const others = strangers(site, now).filter(({ beacon }) => !added.has(beacon));
            search.element.hidden = known.length + others.length <= FEW_OTHERS;
            const isFound = ({ name, beacon }) => search.finds(name) || search.finds(beacon);
            const isAll = showsAll || !search.isEmpty();
            const shown = [...others.filter(isFound).slice(0, isAll ? others.length : FEW_OTHERS), ...known.filter(isFound)];
            const visible = isAll ? shown : shown.slice(0, FEW);
            showList(rows, visible, ({ beacon, isRegistered }) => `${isRegistered} ${beacon}`,
                (item) => makeDeviceRow(columns, act(item)), (row, item) => update(row, item, site));
            const count = others.length + known.length;
            more.hidden = !search.isEmpty() || count <= FEW && others.length <= FEW_OTHERS;
            setText(box.querySelector(".empty"), t(search.isEmpty() ? "devices.none" : "live.not-found"));
            setText(more, showsAll ? t("live.fewer") : t("devices.all", { n: count }));
        },
    };

    /** What can be done with a device, if whoever looks may. */
    function act({ beacon, isRegistered }) {
        if (!mayWrite) return null;
        if (!isRegistered) {
            const button = makeButton(t("add-tag.short"), () => add(beacon), "ask");
            button.setAttribute("aria-label", t("add-tag.of", { name: beacon }));
            return button;
        }
        return makeRename(tools.api, () => ({
            address: `/api/v1/beacons/${beacon}`, name: site.nameOf("beacons", beacon), member: "title",
        }));
    }
}

function device(site, beacon, now) {
    const state = site.payload("beacon", beacon, "state");
    const hearings = Array.isArray(state?.nodes) ? state.nodes : [];
    const strongest = hearings[0] ?? null;
    return {
        beacon,
        isRegistered: true,
        name: site.nameOf("beacons", beacon),
        kind: kindOf(site.payload("beacon", beacon, "info")?.kind) ?? NONE,
        strongest,
        nodes: hearings.length,
        silence: strongest === null ? null : now - state.t_ms + strongest.age_ms,
        far: strongest === null ? tooFar(site, beacon) : null,
    };
}

/** The node that receives a registered beacon best and takes it for too far away; null if none does. */
function tooFar(site, beacon) {
    return site.slugs("node").flatMap((node) => {
        const far = site.payload("node", node, "health")?.out_of_range;
        return Array.isArray(far) ? far.filter((one) => one.beacon === beacon).map(({ rssi }) => ({ node, rssi })) : [];
    }).sort((a, b) => b.rssi - a.rssi || compare(a.node, b.node))[0] ?? null;
}

/** In bands of level, so that rows do not change places under a finger. */
function band({ strongest }) {
    return Math.round(strongest.rssi / BAND);
}

/** What nodes hear and nobody registered, the loudest first: whoever holds a tag to a node finds it there. */
export function strangers(site, now = 0) {
    return site.slugs("sighting").map((beacon) => {
        const levels = site.payloads("sighting", beacon).map(([node, { rssi, t_ms }]) => ({ node, rssi, t_ms }))
            .sort((a, b) => b.rssi - a.rssi || compare(a.node, b.node));
        return {
            beacon, isRegistered: false, name: beacon, kind: kindOf(beacon.split("-")[0]) ?? NONE,
            strongest: levels[0], nodes: levels.length, silence: now - levels[0].t_ms,
        };
    }).sort((a, b) => band(b) - band(a) || compare(a.beacon, b.beacon));
}

function kindOf(text) {
    return KINDS.has(text) ? t(`devices.kind.${KINDS.get(text)}`) : null;
}

function makeDeviceRow(columns, button) {
    const row = makeRow(columns);
    const bar = make("span", "bar", make("span"));
    bar.setAttribute("aria-hidden", "true");
    row.children[3].append(bar, make("span", "figure"));
    row.children[3].className = "meter";
    row.lastElementChild.className = "act";
    if (button !== null) row.lastElementChild.append(button);
    return row;
}

function update(row, item, site) {
    const { strongest, silence } = item;
    const isStale = silence === null || silence > STALE_MS.beacon;
    setData(row, {
        beacon: item.beacon,
        state: item.isRegistered ? "registered" : "unregistered",
        node: strongest?.node ?? null,
        stale: isStale ? "true" : null,
    });
    const cells = row.children;
    const button = row.lastElementChild.firstElementChild;
    if (button !== null && item.isRegistered) nameRename(button, item.name);
    if (!item.isRegistered) setName(cells[0], item.name);
    else if (cells[0].firstElementChild?.tagName !== "A" || cells[0].textContent !== item.name) {
        cells[0].replaceChildren(makeLink(`/devices/${encodeURIComponent(item.beacon)}`, make("bdi", "", item.name)));
    }
    setText(cells[1], item.isRegistered ? item.kind : t("devices.unregistered", { kind: item.kind }));
    setName(cells[2], strongest === null ? null : site.nameOf("nodes", strongest.node));
    const [bar, figure] = cells[3].children;
    setData(cells[3], { empty: strongest === null ? "true" : null });
    bar.hidden = strongest === null;
    const share = ((strongest?.rssi ?? RANGE[0]) - RANGE[0]) / (RANGE[1] - RANGE[0]);
    const width = Math.round(Math.min(1, Math.max(0, share)) * 100);
    bar.firstElementChild.style.setProperty("width", `${width}%`);
    setText(figure, strongest === null ? NONE : level(strongest.rssi));
    setText(cells[4], t("devices.nodes", { n: item.nodes }));
    const quiet = item.far === null || item.far === undefined ? t("devices.not-heard")
        : t("devices.too-far", { node: site.nameOf("nodes", item.far.node), level: level(item.far.rssi) });
    setText(cells[5], silence === null ? quiet : t("ago", { age: age(silence) }));
}

/** A level with a real minus sign: `−52 dBm`. */
export function level(rssi) {
    return `${Math.round(rssi)} dBm`.replace("-", "\u2212");
}
