import { STALE_MS } from "../data/clock.js";
import { make, makeRow, makeTable, setData, setName, setText, showList } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { NONE, age, compare, t } from "../words/words.js";

const COLUMNS = ["device", "kind", "strongest", "level", "by", "heard"];
/** The keys of the words for kinds, and what an id of an unregistered device begins with. */
const KINDS = new Map([
    ["ibeacon", "ibeacon"], ["altbeacon", "altbeacon"], ["eddystone-uid", "eddystone"],
    ["eddystone-eid", "eddystone"], ["address", "address"], ["irk", "irk"], ["name", "name"],
    ["ib", "ibeacon"], ["ab", "altbeacon"], ["eu", "eddystone"], ["eid", "eddystone"], ["mac", "address"],
]);
/** So many are shown until somebody asks for more. */
const FEW = 40;
/** The levels at which the bar is empty and full, in dBm. */
const RANGE = [-100, -40];

/** Registered beacons, then whatever else the nodes hear, each at its strongest node. */
export default function devices(main, { site, drawSoon }) {
    const columns = COLUMNS.map((column) => t(`devices.${column}`));
    let showsAll = false;
    const { box, rows } = makeTable(t("page.devices"), columns, t("devices.none"));
    rows.id = "device-rows";
    const more = makeButton("", () => {
        showsAll = !showsAll;
        drawSoon();
    }, "quiet");
    main.append(box, more);
    return {
        draw(now) {
            const others = site.slugs("beacon").filter((beacon) => !site.isNamed("beacons", beacon));
            const all = [...site.listed("beacons"), ...others].map((beacon) => device(site, beacon, now));
            // Registered ones stay in the list when silent: a flat battery should be seen.
            const shown = all.filter((item) => item.isRegistered || item.strongest !== null);
            shown.sort((a, b) => Number(b.isRegistered) - Number(a.isRegistered) ||
                compare(a.name, b.name) || compare(a.beacon, b.beacon));
            const visible = showsAll ? shown : shown.slice(0, FEW);
            showList(rows, visible, (item) => item.beacon, () => makeDeviceRow(columns), (row, item) => {
                update(row, item, site);
            });
            more.hidden = shown.length <= FEW;
            setText(more, showsAll ? t("live.fewer") : t("devices.all", { n: shown.length }));
        },
    };
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
        kind: kindOf(info?.kind) ?? kindOf(beacon.split("-")[0]) ?? NONE,
        strongest,
        nodes: hearings.length,
        silence: strongest === null ? null : now - state.t_ms + strongest.age_ms,
    };
}

function kindOf(text) {
    return KINDS.has(text) ? t(`devices.kind.${KINDS.get(text)}`) : null;
}

function makeDeviceRow(columns) {
    const row = makeRow(columns);
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
    setText(cells[5], silence === null ? t("devices.not-heard") : t("ago", { age: age(silence) }));
}

/** A level with a real minus sign: `−52 dBm`. */
function level(rssi) {
    return `${Math.round(rssi)} dBm`.replace("-", "\u2212");
}
