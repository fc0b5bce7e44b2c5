import { STALE_MS } from "./clock.js";
import { make, makeRow, setCell, setData, setName, setText, showList } from "./dom.js";
import { age, count, known } from "./words.js";

const COLUMNS = [
    "Node", "State", "Adverts/s", "Beacons", "Unregistered", "Adapter", "Losses", "Machine", "Clock",
    "Alerts", "Version", "Health",
];
const WORDS = {
    listening: "Listening", deaf: "Not listening", stopped: "Told to stop", offline: "Offline",
    unknown: "Unknown",
};
/** What the alerts of a node, and of the coordinator, mean. */
const ALERTS = new Map(Object.entries({
    "radio-absent": "has no Bluetooth adapter",
    "radio-blocked": "has its Bluetooth blocked by rfkill",
    "radio-down": "has its Bluetooth switched off",
    "radio-recovering": "lost its scan and is starting it again",
    "radio-quiet": "scans and hears nothing",
    "radio-foreign": "shares its adapter with another program",
    "radio-failed": "cannot get its scan going again",
    "clock-unsynced": "has a clock that no time server keeps",
    "clock-stepped": "had its clock set and goes on by the old time",
    "outbox-full": "has a full outbox and loses evidence",
    "outbox-damaged": "has a damaged outbox",
    "throttled": "is slowed down by lack of power or heat",
    "hot": "is too hot",
    "duplicate-id": "is two nodes with one id",
    "outbox-stuck": "keeps records that are not stored",
    "clock-behind": "has a clock that is behind",
    "database-damaged": "has a damaged database",
    "facts-refused": "is refused by its database what it decides",
    "facts-waiting": "cannot store what it decides",
    "set-aside": "leaves out, because of a fault, a correction or all attendance of",
}));
/** What means something else of the coordinator than of a node. */
const CORE_ALERTS = new Map([
    ["duplicate-id", "is thrown off the broker by another client with its name"],
]);
const DAY_MS = 24 * 60 * 60 * 1000;
const rows = document.getElementById("node-rows");
const banner = document.getElementById("alerts");

/** The nodes, their health and what is wrong with them. Returns how many listen, and of how many. */
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
    showAlerts(nodes, site, now);
    const listening = nodes.filter(({ state }) => state === "listening").length;
    return { listening, total: nodes.length };
}

/**
 * A banner as long as the coordinator or any node that is there has an alert, one line each; on the
 * first day of a site also since when it listens.
 */
function showAlerts(nodes, site, now) {
    const lines = nodes.flatMap(({ node, state, health }) =>
        (state === "offline" ? [] : alertsOf(health)).map(({ id, since_ms }) => ({
            key: `${node} ${id}`, node, id, since: since_ms,
        })));
    const began = known(site.own("state")?.listening_since_ms);
    if (began !== null && now - began < DAY_MS) lines.push({ key: "site", since: began });
    lines.push(...(Array.isArray(site.health?.alerts) ? site.health.alerts : [])
        .map(({ id, node, user, since_ms }) => ({
            key: `core ${node ?? ""} ${id} ${user ?? ""}`, node: node ?? null, id, user, since: since_ms,
        })));
    banner.hidden = lines.length === 0;
    showList(banner, lines, (line) => line.key, () => make("p", "", make("bdi"), make("span")),
        (element, { node, id, user, since }) => {
            if (node === undefined) {
                setText(element.firstElementChild, site.name);
                setText(element.lastElementChild, ` has only listened for ${age(now - since)}: ` +
                    "whoever was there before may have come earlier");
                return;
            }
            setData(element, { node, alert: id });
            setText(
                element.firstElementChild,
                node === null ? "The coordinator" : site.nameOf("nodes", node));
            const whose = user === undefined ? "" : ` ${site.nameOf("users", user)}`;
            const own = node === null ? CORE_ALERTS.get(id) : undefined;
            const words = (own ?? ALERTS.get(id) ?? `says ${id}`) + whose;
            const span = known(since) === null ? "" : `, for ${age(now - since)}`;
            setText(element.lastElementChild, ` ${words}${span}`);
        });
}

function alertsOf(health) {
    if (!Array.isArray(health?.alerts)) return [];
    const seen = new Set();
    return health.alerts.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function stateOf(status, health, now) {
    if (status === null) return "unknown";
    if (status.state !== "online") return "offline";
    if (health === null) return "unknown";
    if (health.adapter === "stopped") return "stopped";
    return health.adapter === "up" && now - health.t_ms <= STALE_MS.health ? "listening" : "deaf";
}

function makeNodeRow() {
    const row = makeRow(COLUMNS);
    row.children[1].append(make("span", "pill"));
    return row;
}

function update(row, { node, status, health, info, state }, site, now) {
    const isStale = health !== null && now - health.t_ms > STALE_MS.health;
    const alerts = alertsOf(health).map(({ id }) => id);
    setData(row, {
        node, state, stale: isStale ? "true" : null, alerts: alerts.join(" ") || null,
    });
    const cells = row.children;
    setName(cells[0], site.nameOf("nodes", node));
    setData(cells[1].firstElementChild, { state });
    setText(cells[1].firstElementChild, WORDS[state]);
    setCell(cells[2], number(health?.adverts_s));
    setCell(cells[3], number(health?.beacons));
    setCell(cells[4], number(health?.unregistered));
    setName(cells[5], adapter(health, info));
    setCell(cells[6], losses(health));
    setCell(cells[7], machine(health));
    setCell(cells[8], clock(health?.clock));
    setName(cells[9], alerts.join(", ") || null);
    setName(cells[10], info?.version ?? status?.version ?? null);
    setText(cells[11], health === null ? "none yet" : `${age(now - health.t_ms)} ago`);
}

/** `scanning · B8:27:EB:01:02:03 · 2 recoveries · packet 40 ms ago`. */
function adapter(health, info) {
    const scanner = health?.scanner;
    return [
        scanner?.state ?? health?.adapter,
        info?.adapter,
        scanner?.recoveries > 0 && count(scanner.recoveries, "recovery", "recoveries"),
        scanner?.takeovers > 0 && count(scanner.takeovers, "takeover", "takeovers"),
        health?.hci_age_ms >= 5000 && `packet ${age(health.hci_age_ms)} ago`,
    ].filter(Boolean).join(" · ") || null;
}

/** What was lost: `256 devices · 7 messages · 3 records`, or `none`. */
function losses(health) {
    if (health === null) return null;
    const { drops, outbox } = health;
    const words = [
        [(drops?.table ?? health.dropped) + (drops?.frame ?? 0), "device", "devices"],
        [drops?.unsent, "message", "messages"],
        [outbox?.dropped, "record", "records"],
    ].filter(([lost]) => lost > 0).map(([lost, one, many]) => count(lost, one, many));
    if (outbox?.waiting > 0) words.push(`${count(outbox.waiting, "record", "records")} waiting`);
    return words.join(" · ") || "none";
}

/** `0.8 % · 12.3 MB · 48.5 °C`. */
function machine(health) {
    return [[health?.cpu_pct, "%"], [health?.mem_mb, "MB"], [health?.temp_c, "°C"]]
        .filter(([value]) => Number.isFinite(value))
        .map(([value, unit]) => `${number(value)} ${unit}`).join(" · ") || null;
}

/** `synced`, `not synced · 12 s ahead · 1 step`. */
function clock(state) {
    if (state === null || state === undefined) return null;
    const off = state.offset_ms;
    return [
        state.synced ? "synced" : "not synced",
        Math.abs(off) >= 1000 && `${age(Math.abs(off))} ${off > 0 ? "ahead" : "behind"}`,
        state.steps > 0 && count(state.steps, "step", "steps"),
    ].filter(Boolean).join(" · ");
}

function number(value) {
    if (!Number.isFinite(value)) return null;
    return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
