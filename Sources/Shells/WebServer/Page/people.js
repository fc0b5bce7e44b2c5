import { STALE_MS } from "./clock.js";
import { make, makeRow, setCell, setData, setName, setText, showList } from "./dom.js";
import { compare } from "./site.js";
import { askWhy } from "./why.js";
import { NONE, age, elapsed, known } from "./words.js";

const COLUMNS = [
    "Name", "State", "Room", "Station", "Since", "Confidence", "Last heard", "Attendance",
    "Workout", "Why",
];
const WORDS = new Map([
    ["present", "Present"], ["moving", "Moving"], ["entering", "Arriving"],
    ["leaving", "Leaving"], ["not_present", "Away"], ["unknown", "Unknown"],
]);
/** Why somebody should look at a session before it is believed, by the codes of `attendance`. */
const REVIEWS = new Map([
    ["too-long", "longer than anybody stays"], ["coverage-gap", "nobody listened for a while"],
    ["heard-outside", "heard after they left"], ["silent-before-out", "gone before they said so"],
    ["wrong-clock", "the site's clock was wrong"],
    ["two-sites", "at another site, too"], ["two-places", "at two places at once"],
    ["speed", "moved too fast"], ["rate", "tag sends too often"], ["teleport", "did not come in"],
    ["fingerprint", "another tag under this name"], ["inactive", "never did anything"],
]);
/** Who is here comes first; within that, by name, so that rows hold still. */
const ORDER = new Map([
    ["present", 0], ["moving", 0], ["entering", 0], ["leaving", 0], ["unknown", 1],
]);
/** Why a list without anybody is empty, by how far whoever looks may see. */
const NOBODY = {
    site: "Nobody is registered yet.",
    own: "You are not registered here any more. Ask whoever invited you.",
    nameless: "Your account belongs to nobody who is registered, so that this page shows rooms and " +
        "stations only. Ask whoever invited you for an account that is tied to you.",
};

const nobody = document.getElementById("people-nobody");
const rows = document.getElementById("people-rows");

/** Everybody who may be seen, one row each. Returns how many of them attend. */
export function showPeople(site, now, time, sees) {
    setText(nobody, NOBODY[sees]);
    const people = site.listed("users").map((user) => ({
        user,
        name: site.nameOf("users", user),
        presence: site.payload("user", user, "presence"),
        attendance: site.payload("user", user, "attendance"),
        workout: site.payload("user", user, "workout"),
    }));
    const rank = ({ presence }) => ORDER.get(presence?.state) ?? 2;
    people.sort((a, b) => rank(a) - rank(b) || compare(a.name, b.name) || compare(a.user, b.user));
    showList(rows, people, (person) => person.user, makePersonRow, (row, person) => {
        update(row, person, site, now, time);
    });
    return people.filter(({ attendance }) => attendance?.state === "in").length;
}

function makePersonRow() {
    const row = makeRow(COLUMNS);
    row.children[1].append(make("span", "pill"));
    const bar = make("span", "bar", make("span"));
    bar.setAttribute("aria-hidden", "true");
    row.children[5].append(bar, make("span", "figure"));
    row.children[5].className = "meter";
    row.children[7].append(make("div", "", make("span", "time"), make("span", "check")));
    const ask = make("button", "ask", "Why?");
    ask.type = "button";
    ask.addEventListener("click", () => askWhy(row.dataset.user));
    row.children[9].append(ask);
    for (const index of [4, 6, 8]) row.children[index].className = "time";
    return row;
}

function update(row, { user, name, presence, attendance, workout }, site, now, time) {
    const state = WORDS.has(presence?.state) ? presence.state : "unknown";
    const isHere = ORDER.get(state) === 0;
    const seen = known(presence?.seen_ms);
    const since = known(presence?.since_ms);
    const isStale = isHere && seen !== null && now - seen > STALE_MS.presence;
    const room = presence?.room ?? null;
    const station = presence?.station ?? null;
    const place = presence?.place ?? null;
    setData(row, {
        user, state, room, station, stale: isStale ? "true" : null,
        place: place === null ? null : place.station ?? place.room,
        review: attendance?.review?.join(" ") || null,
        confirmed: presence?.confirmed ?? null,
    });

    const cells = row.children;
    setName(cells[0], name);
    setData(cells[1].firstElementChild, { state });
    setText(cells[1].firstElementChild, WORDS.get(state));
    setName(cells[2], room === null ? null : site.nameOf("rooms", room));
    setName(cells[3], station === null ? null : site.nameOf("stations", station));
    setCell(cells[4], since === null ? null : time.short(since, now));

    // Of a place that is not named, or not believed any more, no probability is told.
    const isTold = isHere && state !== "leaving" && room !== null && presence.confidence > 0;
    const confidence = isTold ? Math.round(presence.confidence * 100) : null;
    const [bar, figure] = cells[5].children;
    setData(cells[5], { empty: confidence === null ? "true" : null });
    bar.hidden = confidence === null;
    bar.firstElementChild.style.setProperty("width", `${confidence ?? 0}%`);
    setText(figure, confidence === null ? NONE : `${confidence} %`);
    setText(cells[6], seen === null ? "never" : `${age(now - seen)} ago`);
    const [words, check] = cells[7].firstElementChild.children;
    const inOrOut = attendanceWords(attendance, now, time);
    setData(cells[7], { empty: inOrOut === null ? "true" : null });
    setText(words, inOrOut ?? NONE);
    const reviews = (attendance?.review ?? []).map((code) => REVIEWS.get(code) ?? code);
    check.hidden = reviews.length === 0;
    setText(check, `Check: ${reviews.join(", ")}`);
    setCell(cells[8], workoutWords(workout, now));
    const ask = cells[9].firstElementChild;
    const isKnown = site.payload("user", user, "why") !== null;
    ask.hidden = !isKnown;
    ask.setAttribute("aria-label", `Why is ${name} there?`);
    setData(cells[9], { empty: isKnown ? null : "true" });
}

function attendanceWords(attendance, now, time) {
    if (attendance?.state === "in" && known(attendance.check_in_ms) !== null) {
        return `In since ${time.short(attendance.check_in_ms, now)}`;
    }
    if (attendance?.state === "out" && known(attendance.check_out_ms) !== null) {
        return `Out since ${time.short(attendance.check_out_ms, now)}`;
    }
    return attendance?.state === "in" ? "In" : null;
}

/** The net time of an open workout: pauses are taken off, also the one that runs. */
function workoutWords(workout, now) {
    if (workout === null || !["active", "paused"].includes(workout.state)) return null;
    const end = workout.state === "paused" ? workout.paused_since_ms ?? now : now;
    const net = elapsed(end - workout.started_ms - (workout.paused_s ?? 0) * 1000);
    return workout.state === "paused" ? `Paused at ${net}` : `Active ${net}`;
}
