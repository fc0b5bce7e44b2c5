import { STALE_MS } from "./clock.js";
import { make, makeRow, setData, setName, setText, showList } from "./dom.js";
import { compare } from "./site.js";
import { NONE, age, count } from "./words.js";

const COLUMNS = ["Device", "Kind", "Strongest at", "Level", "Heard by", "Last heard"];
const KINDS = new Map([
    ["ibeacon", "iBeacon"], ["altbeacon", "AltBeacon"], ["eddystone-uid", "Eddystone"],
    ["eddystone-eid", "Eddystone"], ["address", "Address"], ["irk", "Private address"],
    ["name", "Name"],
]);
/** What an id of an unregistered device begins with. */
const PREFIXES = new Map([
    ["ib", "iBeacon"], ["ab", "AltBeacon"], ["eu", "Eddystone"], ["eid", "Eddystone"],
    ["mac", "Address"], ["irk", "Private address"],
]);
/** So many are shown until somebody asks for more. */
const FEW = 40;
/** The levels at which the bar is empty and full, in dBm. */
const RANGE = [-100, -40];

const rows = document.getElementById("device-rows");
const more = document.getElementById("more-devices");
let showsAll = false;

more.addEventListener("click", () => {
    showsAll = !showsAll;
    document.dispatchEvent(new Event("wants-render"));
});

/** Registered beacons, then whatever else the nodes hear, each at its strongest node. */
export function showDevices(site, now) {
    const registered = site.listed("beacons");
    const others = site.slugs("beacon").filter((beacon) => !site.isNamed("beacons", beacon));
    const devices = [...registered, ...others].map((beacon) => device(site, beacon, now));
    // Registered ones stay in the list when silent: a flat battery should be seen.
    const shown = devices.filter((item) => item.isRegistered || item.strongest !== null);
    shown.sort((a, b) => Number(b.isRegistered) - Number(a.isRegistered) ||
        compare(a.name, b.name) || compare(a.beacon, b.beacon));
    const visible = showsAll ? shown : shown.slice(0, FEW);
    showList(rows, visible, (item) => item.beacon, makeDeviceRow, (row, item) => {
        update(row, item, site);
    });
    more.hidden = shown.length <= FEW;
    setText(more, showsAll ? "Show fewer" : `Show all ${shown.length} devices`);
}

function device(site, beacon, now) {
    const state = site.payload("beacon", beacon, "state");
    const info = site.payload("beacon", beacon, "info");
    const hearings = Array.isArray(state?.nodes) ? state.nodes : [];
    const strongest = hearings[0] ?? null;
    const isRegistered = site.isNamed("beacons", beacon);
    return {
        beacon,
        isRegistered,
        name: isRegistered ? site.nameOf("beacons", beacon) : String(info?.title || beacon),
        kind: KINDS.get(info?.kind) ?? PREFIXES.get(beacon.split("-")[0]) ?? NONE,
        strongest,
        nodes: hearings.length,
        silence: strongest === null ? null : now - state.t_ms + strongest.age_ms,
    };
}

function makeDeviceRow() {
    const row = makeRow(COLUMNS);
    const bar = make("span", "bar", make("span"));
    bar.setAttribute("aria-hidden", "true");
    row.children[3].append(bar, make("span", "figure"));
    row.children[3].className = "meter";
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
    setName(cells[0], item.name);
    setText(cells[1], item.isRegistered ? item.kind : `${item.kind}, not registered`);
    setName(cells[2], strongest === null ? null : site.nameOf("nodes", strongest.node));
    const [bar, figure] = cells[3].children;
    setData(cells[3], { empty: strongest === null ? "true" : null });
    bar.hidden = strongest === null;
    const share = ((strongest?.rssi ?? RANGE[0]) - RANGE[0]) / (RANGE[1] - RANGE[0]);
    const width = Math.round(Math.min(1, Math.max(0, share)) * 100);
    bar.firstElementChild.style.setProperty("width", `${width}%`);
    setText(figure, strongest === null ? NONE : level(strongest.rssi));
    setText(cells[4], count(item.nodes, "node", "nodes"));
    setText(cells[5], silence === null ? "not heard" : `${age(silence)} ago`);
}

/** A level with a real minus sign: `−52 dBm`. */
function level(rssi) {
    return `${Math.round(rssi)} dBm`.replace("-", "\u2212");
}
