import { STALE_MS } from "../data/clock.js";
import { make, makeLink, makeRow, makeTable, setCell, setData, setName, setSentence, setText, showList } from "../kit/element.js";
import { makeRename, nameRename } from "../kit/rename.js";
import { age, has, known, number, sentence, t } from "../words/words.js";

const COLUMNS = [
    "node", "state", "adverts", "beacons", "unregistered", "adapter", "losses", "machine", "clock", "alerts",
    "version", "health", "act",
];
const DAY_MS = 24 * 60 * 60 * 1000;

/** The nodes, their health and what is wrong with them. */
export default function nodes(main, { site, session, api }) {
    const mayWrite = session.may("places.write");
    const columns = COLUMNS.map((column) => t(`nodes.${column}`));
    const banner = make("div", "banner alerts");
    banner.id = "alerts";
    banner.setAttribute("role", "status");
    const { box, rows } = makeTable(t("page.nodes"), columns, t("nodes.none"));
    rows.id = "node-rows";
    box.classList.add("node-table");
    main.append(banner, box);
    if (mayWrite) main.append(make("p", "", makeLink("/setup/nodes", t("setup.nodes"))));
    return {
        draw(now) {
            showList(rows, worstFirst(nodesOf(site, now)), ({ node }) => `${site.isNamed("nodes", node)} ${node}`,
                ({ node }) => makeNodeRow(columns, !mayWrite || !site.isNamed("nodes", node) ? null :
                    makeRename(api, () => ({ address: `/api/v1/nodes/${node}`, name: site.nameOf("nodes", node) }))),
                (row, item) => update(row, item, site, now));
            const lines = grouped(alertLines(site, now));
            banner.hidden = lines.length === 0;
            showList(banner, lines, (line) => line.key, () => make("p"), (element, { text, node, alert }) => {
                setData(element, { node, alert });
                setSentence(element, text);
            });
        },
    };
}

/** How many nodes listen, and of how many. */
export function listeningOf(site, now) {
    const all = nodesOf(site, now);
    return { listening: all.filter(({ state }) => state === "listening").length, total: all.length };
}

function nodesOf(site, now) {
    const others = site.slugs("node").filter((node) => !site.isNamed("nodes", node)).sort();
    return [...site.listed("nodes"), ...others].map((node) => nodeState(site, node, now));
}

/** A node with what is known of it. */
export function nodeState(site, node, now) {
    const status = site.payload("node", node, "status");
    const health = site.payload("node", node, "health");
    const info = site.payload("node", node, "info");
    return { node, status, health, info, state: stateOf(status, health, now) };
}

/** Those that do not listen first, then those with an alert; else as they were. */
function worstFirst(nodes) {
    const rank = ({ state, health }) => state !== "listening" ? 0 : alertsOf(health).length > 0 ? 1 : 2;
    return [...nodes].sort((a, b) => rank(a) - rank(b));
}

/**
 * What is wrong with the coordinator and the nodes, one line each: those that are gone, and the alerts of those
 * that are there; on the first day of a site also since when it listens.
 */
export function alertLines(site, now) {
    const lines = nodesOf(site, now).flatMap(({ node, state, health }) => state === "offline" ?
        [{ key: `${node} offline`, node, state: "offline", alert: "offline", text: words("offline", site, node) }] :
        alertsOf(health).map(({ id, since_ms: since }) => ({
            key: `${node} ${id}`, node, state: "alert", alert: id, text: words(id, site, node, since, now),
        })));
    const began = known(site.own("state")?.listening_since_ms);
    if (began !== null && now - began < DAY_MS) {
        lines.push({
            key: "site", state: "note",
            text: sentence("alert.new-site", { name: { name: site.name }, age: age(now - began) }),
        });
    }
    const own = Array.isArray(site.health?.alerts) ? site.health.alerts : [];
    lines.push(...own.map(({ id, node, user, since_ms: since }) => ({
        key: `core ${node ?? ""} ${id} ${user ?? ""}`, node: node ?? null, state: "alert", alert: id,
        text: words(id, site, node, since, now, user),
    })));
    return lines;
}

/** So many nodes with one thing wrong stand in one line. */
const MANY = 3;

/** The same lines, where what is wrong with many nodes is said once. */
export function grouped(lines) {
    const count = new Map();
    for (const { node, alert } of lines) if (node && alert) count.set(alert, (count.get(alert) ?? 0) + 1);
    const said = new Set();
    return lines.filter(({ node, alert }) => {
        if (!node || (count.get(alert) ?? 0) < MANY) return true;
        const isFirst = !said.has(alert);
        said.add(alert);
        return isFirst;
    }).map((line) => line.node && count.get(line.alert) >= MANY ?
        { ...line, text: [...line.text, t("alert.others", { n: count.get(line.alert) - 1 })] } : line);
}

function words(id, site, node, since = null, now = null, user) {
    const own = node === undefined && has(`alert.core.${id}`) ? `alert.core.${id}` : `alert.${id}`;
    const name = node === undefined ? t("alert.coordinator") : { name: site.nameOf("nodes", node) };
    const whose = user === undefined ? "" : { name: site.nameOf("users", user) };
    const text = has(own) ? sentence(own, { name, user: whose }) : sentence("alert.unknown", { name, id });
    return known(since) === null ? text : [...text, t("alert.for", { age: age(now - since) })];
}

/** What to do about an alert, or `null` where nothing is known to help. */
export function remedyOf(id) {
    return has(`remedy.${id}`) ? t(`remedy.${id}`) : null;
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

function makeNodeRow(columns, button) {
    const row = makeRow(columns);
    row.children[0].append(makeLink("#"));
    row.children[1].append(make("span", "pill"));
    row.lastElementChild.className = "act";
    if (button !== null) row.lastElementChild.append(button);
    return row;
}

function update(row, { node, status, health, info, state }, site, now) {
    const isStale = health !== null && now - health.t_ms > STALE_MS.health;
    const alerts = alertsOf(health).map(({ id }) => id);
    setData(row, {
        node, state, stale: isStale ? "true" : null, alerts: alerts.join(" ") || null,
    });
    const cells = row.children;
    const link = cells[0].firstElementChild;
    setName(link, site.nameOf("nodes", node));
    const address = `/nodes/${encodeURIComponent(node)}`;
    if (link.getAttribute("href") !== address) link.href = address;
    const button = row.lastElementChild.firstElementChild;
    if (button !== null) nameRename(button, site.nameOf("nodes", node));
    setData(cells[1].firstElementChild, { state });
    setText(cells[1].firstElementChild, t(`node.${state}`));
    setCell(cells[2], number(health?.adverts_s));
    setCell(cells[3], number(health?.beacons));
    setCell(cells[4], number(health?.unregistered));
    const facts = new Map(machineFacts(site, { node, status, health, info }));
    setName(cells[5], facts.get("adapter"));
    setCell(cells[6], facts.get("losses"));
    setCell(cells[7], facts.get("machine"));
    setCell(cells[8], facts.get("clock"));
    setName(cells[9], alerts.join(", ") || null);
    setName(cells[10], facts.get("version"));
    setText(cells[11], health === null ? t("nodes.none-yet") : t("ago", { age: age(now - health.t_ms) }));
}

/** What is known of a node, each with the word for it. */
export function machineFacts(site, { node, status, health, info }) {
    const active = site.own(`node/${node}/config/active`);
    return [
        ["adverts", number(health?.adverts_s)], ["beacons", number(health?.beacons)],
        ["unregistered", number(health?.unregistered)], ["adapter", adapter(health, info)],
        ["losses", losses(health)], ["machine", machine(health)], ["clock", clock(health?.clock)],
        ["version", info?.version ?? status?.version ?? null],
        ["configuration", active === null ? null : active.ok ? t("nodes.in-force") :
            t("nodes.not-in-force", { why: active.error ?? "" })],
    ];
}

/** `scanning · B8:27:EB:01:02:03 · 2 recoveries · packet 40 ms ago`. */
function adapter(health, info) {
    const scanner = health?.scanner;
    return [
        scanner?.state ?? health?.adapter,
        info?.adapter,
        scanner?.recoveries > 0 && t("nodes.recoveries", { n: scanner.recoveries }),
        scanner?.takeovers > 0 && t("nodes.takeovers", { n: scanner.takeovers }),
        health?.hci_age_ms >= 5000 && t("nodes.packet", { age: age(health.hci_age_ms) }),
    ].filter(Boolean).join(" · ") || null;
}

/** What was lost: `256 devices · 7 messages · 3 records`, or `none`. */
function losses(health) {
    if (health === null) return null;
    const { drops, outbox } = health;
    const lost = [
        ["nodes.devices-lost", (drops?.table ?? health.dropped) + (drops?.frame ?? 0)],
        ["nodes.messages-lost", drops?.unsent], ["nodes.records-lost", outbox?.dropped],
        ["nodes.records-wait", outbox?.waiting], ["nodes.out-of-range", drops?.range],
    ].filter(([, n]) => n > 0).map(([key, n]) => t(key, { n }));
    return lost.join(" · ") || t("nodes.nothing-lost");
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
        t(state.synced ? "nodes.synced" : "nodes.unsynced"),
        Math.abs(off) >= 1000 && t(off > 0 ? "nodes.ahead" : "nodes.behind", { age: age(Math.abs(off)) }),
        state.steps > 0 && t("nodes.steps", { n: state.steps }),
    ].filter(Boolean).join(" · ");
}
