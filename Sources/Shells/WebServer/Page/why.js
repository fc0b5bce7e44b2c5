import { make, makeRow, setCell, setData, setName, setSentence, setText, showList } from "./dom.js";
import { age, known } from "./words.js";

const COLUMNS = ["Who heard", "Heard", "Usual here", "At the next likeliest", "Says"];
/** So many readings have a row; the others are one line together. */
const MOST = 5;
const NOWHERE = { text: "nowhere" };

const dialog = document.getElementById("why");
const rows = document.getElementById("why-rows");
const part = (name) => document.getElementById(`why-${name}`);
/** Whom the dialog is about. */
let user = null;

part("close").addEventListener("click", () => dialog.close());

/** Opens the dialog: why somebody was last decided to be where they are. */
export function askWhy(slug) {
    user = slug;
    if (!dialog.open) dialog.showModal();
    document.dispatchEvent(new Event("wants-render"));
}

/** Draws the dialog anew, if it is open. */
export function showWhy(site, now, time) {
    if (!dialog.open || user === null) return;
    const why = site.payload("user", user, "why");
    const who = { name: site.nameOf("users", user) };
    setSentence(part("title"), ["Why is ", who, " there?"]);
    setSentence(part("now"), present(site, site.payload("user", user, "presence")));
    setSentence(part("because"), why === null ? ["No change is known."] :
        because(site, who, why, now, time));
    const readings = ranked(why?.readings ?? []);
    part("table").hidden = readings.length === 0;
    if (why !== null) showHeadings(why, site);
    showList(rows, readings.slice(0, MOST), (reading) => String(reading.index),
        () => makeRow(COLUMNS), (row, reading) => showReading(row, reading, why, site));
    showRest(readings.slice(MOST), why, site);
    setSentence(part("figures"), why === null ? [] : figures(site, why));
}

/** What the locator says at present, which the machines may not believe yet. */
function present(site, presence) {
    if (!presence?.place) return ["Nobody hears them at present."];
    const sure = presence.confirmed ? "confirmed" : "not confirmed";
    return ["Now decided: ", place(site, presence.place), `, ${percent(presence.probability)}, `,
        `${sure}.`];
}

function because(site, who, why, now, time) {
    const [from, to] = [place(site, why.from), place(site, why.to)];
    const move = why.to === null ? [who, " was not at ", from, " any more"] :
        why.from === null ? [who, " came to ", to] : [who, " moved from ", from, " to ", to];
    const reason = {
        first: ["nothing had been decided before"],
        margin: [to, " had become so much likelier that it won"],
        lost: [from, " was not heard any more"],
        silent: ["nobody heard anything any more"],
    }[why.rule] ?? ["of a rule this page does not know"];
    const moment = known(why.t_ms) === null ? "" :
        ` at ${time.full(why.t_ms)}, ${age(now - why.t_ms)} ago`;
    return [...move, `${moment}, because `, ...reason, "."];
}

/** What decided, the strongest first. */
function ranked(readings) {
    return readings.map((reading, index) => ({ ...reading, index }))
        .sort((a, b) => Math.abs(difference(b)) - Math.abs(difference(a)) || a.index - b.index);
}

/** How much likelier a reading makes the new place than the next likeliest, as a logarithm. */
function difference(reading) {
    return reading.support - reading.against;
}

function showHeadings(why, site) {
    const taught = why.model !== null;
    setSentence(part("usual"), taught ? ["Usual at ", place(site, why.to)] : ["Compared"]);
    setSentence(part("usual-next"), ["Usual at ", place(site, why.runner_up)]);
    part("usual-next").hidden = !taught;
}

function showReading(row, reading, why, site) {
    const cells = row.children;
    const own = reading.ear === "beacon";
    setName(cells[0], own ? site.nameOf("beacons", reading.beacon) :
        site.nameOf("nodes", reading.node));
    const taught = why.model !== null;
    setText(cells[1], heard(reading, taught));
    setData(cells[2], { label: taught ? COLUMNS[2] : "Compared" });
    setCell(cells[2], taught ? usual(reading.expected) : compared(reading, why));
    cells[3].hidden = !taught;
    setCell(cells[3], taught ? usual(reading.expected_at_runner_up ?? null) : null);
    const says = difference(reading);
    // One box, or a narrow screen would spread its words over the line.
    if (cells[4].firstElementChild === null) cells[4].append(make("span"));
    setSentence(cells[4].firstElementChild, verdict(says, why, site));
    setData(row, { says: says > 0 ? "new" : says < 0 ? "other" : null });
}

function showRest(rest, why, site) {
    part("rest").hidden = rest.length === 0;
    if (rest.length === 0) return;
    const all = rest.reduce((sum, reading) => sum + difference(reading), 0);
    const who = rest.length === 1 ? "1 other receiver: " :
        `${rest.length} other receivers: together `;
    setSentence(part("rest"), [who, ...verdict(all, why, site), "."]);
}

function heard(reading, taught) {
    if (reading.rssi === null) return "silent";
    const seconds = Math.floor(reading.age_s);
    const text = level(reading.rssi);
    if (seconds === 0) return text;
    // Learned spots take each second as it is: it was the silence that counted.
    return taught ? `silent, ${text} ${seconds} s ago` : `${text}, ${seconds} s ago`;
}

function usual(expected) {
    return expected === null ? "not taught" : level(expected);
}

/** How a level compares with the loudest, which decides where nobody taught. */
function compared(reading, why) {
    if (reading.rssi === null) return null;
    const levels = why.readings.map((one) => one.rssi).filter((rssi) => rssi !== null);
    const loudest = Math.max(...levels);
    if (reading.rssi === loudest) return "loudest";
    const less = Math.round(loudest - reading.rssi);
    return less === 0 ? "as loud as the loudest" : `${less} dB below the loudest`;
}

/** For which of the two places something speaks, and how strongly. */
function verdict(difference, why, site) {
    const times = Math.exp(Math.min(Math.abs(difference), 50));
    if (times < 1.05) return ["nothing"];
    const strength = times > 1000 ? "more than 1000" :
        times < 10 ? times.toFixed(1) : String(Math.floor(times));
    return [`${strength} times likelier `,
        ...(difference > 0 ? ["here"] : ["at ", place(site, why.runner_up)])];
}

function figures(site, why) {
    const parts = [];
    if (why.to !== null) {
        parts.push(place(site, why.to), `: ${percent(why.prior)} the second before, ` +
            `${percent(why.probability)} then. `);
    }
    if (why.runner_up !== null) {
        parts.push("Next likeliest ", place(site, why.runner_up),
            `: ${percent(why.runner_up_prior)} the second before, ` +
            `${percent(why.runner_up_probability)} then. `);
    }
    const model = why.model === null ? "no model" : `model revision ${why.model}`;
    parts.push(`Learned spots counted ${percent(why.spot_weight)} (${model}).`);
    return parts;
}

function place(site, slugs) {
    if (!slugs) return NOWHERE;
    return { name: slugs.station === null ? site.nameOf("rooms", slugs.room) :
        site.nameOf("stations", slugs.station) };
}

function level(dBm) {
    return `${dBm.toFixed(1).replace("-", "−")} dBm`;
}

function percent(share) {
    return `${Math.round((share ?? 0) * 100)} %`;
}
