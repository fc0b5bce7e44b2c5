import { makeRow, setCell, setData, setName, setSentence, setText, showList } from "./dom.js";
import { age } from "./words.js";

const COLUMNS = ["Who heard", "Heard", "Age", "Usual there", "Says"];
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
    const readings = (why?.readings ?? []).map((reading, index) => ({ ...reading, index }));
    part("table").hidden = readings.length === 0;
    showList(rows, readings, (reading) => String(reading.index), () => makeRow(COLUMNS),
        (row, reading) => showReading(row, reading, why, site));
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
    const moment = `${time.full(why.t_ms)}, ${age(now - why.t_ms)} ago`;
    return [...move, ` at ${moment}, because `, ...reason, "."];
}

function showReading(row, reading, why, site) {
    const cells = row.children;
    const own = reading.ear === "beacon";
    setName(cells[0], own ? site.nameOf("beacons", reading.beacon) :
        site.nameOf("nodes", reading.node));
    setText(cells[1], reading.rssi === null ? "nothing" : level(reading.rssi));
    setCell(cells[2], reading.rssi === null ? null : `${reading.age_s.toFixed(1)} s`);
    setCell(cells[3], reading.expected === null ? null : level(reading.expected));
    setSentence(cells[4], verdict(reading, why, site));
    const difference = reading.support - reading.against;
    setData(row, { says: difference > 0 ? "new" : difference < 0 ? "other" : null });
}

/** For which of the two places a reading speaks, and how strongly. */
function verdict(reading, why, site) {
    const difference = reading.support - reading.against;
    const times = Math.exp(Math.min(Math.abs(difference), 50));
    if (times < 1.05) return ["nothing"];
    const winner = place(site, difference > 0 ? why.to : why.runner_up);
    const strength = times > 1000 ? "more than 1000" :
        times < 10 ? times.toFixed(1) : String(Math.floor(times));
    return [winner, `, ${strength} times likelier`];
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
