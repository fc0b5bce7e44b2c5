import { make, makeRow, setCell, setData, setName, setText, showList } from "./dom.js";
import { age } from "./words.js";

const COLUMNS = [
    "Node", "State", "Adverts/s", "Beacons", "Unregistered", "Adapter", "Version", "Health",
];
/** Health comes every 30 s: two in a row are missing. */
const STALE_MS = 65000;
const WORDS = {
    listening: "Listening", deaf: "Not listening", offline: "Offline", unknown: "Unknown",
};
const rows = document.getElementById("node-rows");

/** The nodes and their health. Returns how many listen, and of how many. */
export function showNodes(site, now) {
    const others = site.slugs("node").filter((node) => !site.isNamed("nodes", node)).sort();
    const nodes = [...site.listed("nodes"), ...others].map((node) => {
        const status = site.payload("node", node, "status");
        const health = site.payload("node", node, "health");
        const info = site.payload("node", node, "info");
        return { node, status, health, info, state: stateOf(status, health, now) };
    });
    showList(rows, nodes, (item) => item.node, makeNodeRow, (row, item) => {
        update(row, item, site, now);
    });
    const listening = nodes.filter(({ state }) => state === "listening").length;
    return { listening, total: nodes.length };
}

function stateOf(status, health, now) {
    if (status === null) return "unknown";
    if (status.state !== "online") return "offline";
    if (health === null) return "unknown";
    return health.adapter === "up" && now - health.t_ms <= STALE_MS ? "listening" : "deaf";
}

function makeNodeRow() {
    const row = makeRow(COLUMNS);
    row.children[1].append(make("span", "pill"));
    return row;
}

function update(row, { node, status, health, info, state }, site, now) {
    const isStale = health !== null && now - health.t_ms > STALE_MS;
    setData(row, { node, state, stale: isStale ? "true" : null });
    const cells = row.children;
    setName(cells[0], site.nameOf("nodes", node));
    setData(cells[1].firstElementChild, { state });
    setText(cells[1].firstElementChild, WORDS[state]);
    setCell(cells[2], number(health?.adverts_s));
    setCell(cells[3], number(health?.beacons));
    setCell(cells[4], number(health?.unregistered));
    setName(cells[5], [health?.adapter, info?.adapter].filter(Boolean).join(" · ") || null);
    setName(cells[6], info?.version ?? status?.version ?? null);
    setText(cells[7], health === null ? "none yet" : `${age(now - health.t_ms)} ago`);
}

function number(value) {
    if (!Number.isFinite(value)) return null;
    return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
