import { leaveIfSignedOut, showAccount } from "./account.js";
import { STALE_MS, ServerClock } from "./clock.js";
import { showDevices } from "./devices.js";
import { setData, setText } from "./dom.js";
import { showNodes } from "./nodes.js";
import { showPeople } from "./people.js";
import { showRooms } from "./rooms.js";
import { Site } from "./site.js";
import { showStations } from "./stations.js";
import { Stream } from "./stream.js";
import { showWhy } from "./why.js";
import { NONE, TimeOfDay, age, count } from "./words.js";

/** However many messages come, the page is drawn no more often. */
const DRAW_MS = 200;
/** A screen reader hears of the number of people at most so often. */
const ANNOUNCE_MS = 20000;

const root = document.documentElement;
const part = (id) => document.getElementById(id);

const clock = new ServerClock();
const time = new TimeOfDay();
const site = new Site();
let isLinked = false;
let hasData = false;
/** How far whoever looks may see, as `showAccount` says it; `null` until that is known. */
let sees = null;
/** When a node was last heard (or, if the server does not say, when anything last changed). */
let dataAt = null;
/** When the server last said anything. */
let updatedAt = null;
let drawing = null;
let announced = { text: "", at: -Infinity };

const stream = new Stream("/api/v1/stream", hear, link);

function hear(kind, message) {
    if (!Number.isFinite(message.server_ms)) return;
    clock.set(message.server_ms);
    updatedAt = message.server_ms;
    if (Number.isFinite(message.data_ms)) {
        dataAt = message.data_ms;
    } else if (kind !== "clock") {
        dataAt = message.server_ms;
    }
    if (kind === "snapshot") {
        site.replace(message);
        hasData = true;
        // It comes anew when somebody may see more or less than before.
        askWhoLooks();
    } else if (kind === "names") {
        site.rename(message.names ?? {});
    } else if (kind === "change") {
        site.change(message.topic, message.payload);
    }
    drawSoon();
}

async function askWhoLooks() {
    sees = await showAccount();
    for (const element of document.querySelectorAll("[data-for=site]")) {
        element.hidden = sees !== "site";
    }
    drawSoon();
}

function link(nowLinked) {
    // Also of a line that never was one: the session may have ended while the page was loading.
    if (!nowLinked) leaveIfSignedOut();
    if (isLinked === nowLinked) return;
    isLinked = nowLinked;
    draw();
}

function drawSoon() {
    drawing ??= setTimeout(draw, DRAW_MS);
}

function draw() {
    clearTimeout(drawing);
    drawing = null;
    const now = clock.now();
    drawLink(now);
    if (now === null || !hasData || sees === null) return;
    time.setZone(site.own("info")?.tz);
    showRooms(site, sees);
    const free = showStations(site, now, time);
    const named = showPeople(site, now, time, sees);
    // Not only of those who may be seen.
    const inside = site.own("state")?.present ?? named;
    showWhy(site, now, time);
    const nodes = showNodes(site, now);
    showDevices(site, now);

    setText(part("site-name"), site.name || site.id || "Beaconmesh");
    part("demo").hidden = !site.isDemo;
    setText(part("people-in"), String(inside));
    setText(part("stations-free"), `${free} of ${site.listed("stations").length}`);
    setText(part("workouts-open"), String(site.own("state")?.workouts ?? NONE));
    setText(part("nodes-listening"), `${nodes.listening} of ${nodes.total}`);
    const title = `${inside} in · ${site.name || "Beaconmesh"}`;
    if (document.title !== title) document.title = title;
    announce(`${count(inside, "person", "people")} in.`);
}

/** The state of the line, the age of the data, and the banner when the line is lost. */
function drawLink(now) {
    const old = now !== null && dataAt !== null ? Math.max(0, now - dataAt) : null;
    setData(root, { connected: isLinked, stale: old !== null && old > STALE_MS.clock });
    const pill = part("connection");
    setData(pill, { state: isLinked ? "live" : hasData ? "lost" : "connecting" });
    setText(pill, isLinked ? "Live" : hasData ? "Reconnecting…" : "Connecting…");
    setText(part("data-age"), old === null ? "No data yet" : `Data ${age(old)} old`);
    const banner = part("banner");
    banner.hidden = isLinked || !hasData;
    setText(banner, banner.hidden ? "" : `Reconnecting…, last update ${time.full(updatedAt)}`);
}

/** Says something to screen readers, if it is new and the last word is some time ago. */
function announce(text) {
    const now = performance.now();
    if (text === announced.text || now - announced.at < ANNOUNCE_MS) return;
    announced = { text, at: now };
    setText(part("announcement"), text);
}

document.addEventListener("wants-render", draw);
window.addEventListener("online", () => stream.openNow());
document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") stream.openNow();
});
setInterval(draw, 1000);
stream.open();
askWhoLooks();
