import { STALE_MS } from "../data/clock.js";
import { make, setData, setSentence, setText } from "../kit/element.js";
import { age, compare, elapsed, has, known, t } from "../words/words.js";

/** What all pages say of a person: where, since when, in or out. */

/** A shape for each state of a station, beside its word, so that nobody depends on colours. */
export const STATION_SHAPES = {
    free: "○", claimed: "◐", occupied: "●", conflict: "▲", out_of_order: "✕", unknown: "?",
};
/** Who is here comes first; within that, by name, so that rows hold still. */
const ORDER = new Map([
    ["present", 0], ["moving", 0], ["entering", 0], ["leaving", 0], ["unknown", 1], ["not_present", 2],
]);

/** Everybody who may be seen: `{ user, name, presence, attendance, workout }`, who is here first. */
export function peopleOf(site) {
    const people = site.listed("users").map((user) => personOf(site, user));
    const rank = (person) => isHere(person) ? 0 : isIn(person) ? 1 : 1 + (ORDER.get(person.presence?.state) ?? 2);
    return people.sort((a, b) =>
        rank(a) - rank(b) || compare(a.name, b.name) || compare(a.user, b.user));
}

export function personOf(site, user) {
    return {
        user,
        name: site.nameOf("users", user),
        presence: site.payload("user", user, "presence"),
        attendance: site.payload("user", user, "attendance"),
        workout: site.payload("user", user, "workout"),
    };
}

/** Whether somebody is somewhere in the building. */
export function isHere({ presence }) {
    return ORDER.get(presence?.state) === 0;
}

/** Whether somebody is in: somewhere in the building, or checked in and not heard. */
export function isIn(person) {
    return isHere(person) || person.attendance?.state === "in";
}

/** The word for where somebody is. */
export function presenceWord(person) {
    return isIn(person) && !isHere(person) ? t("presence.not-heard") : t(`presence.${stateOf(person.presence)}`);
}

/** The state that a presence is shown as. */
export function stateOf(presence) {
    return ORDER.has(presence?.state) ? presence.state : "unknown";
}

/** `Rower, Cardio · since 18:02`, as parts; whether it is old, and whether anything is known. */
export function personLine(person, site, time, now) {
    const { presence, attendance, workout } = person;
    const state = stateOf(presence);
    const seen = known(presence?.seen_ms);
    const since = known(presence?.since_ms);
    const room = presence?.room ?? null;
    const station = presence?.station ?? null;
    const isStale = isHere(person) && seen !== null && now - seen > STALE_MS.presence;
    const parts = [];
    const add = (...more) => parts.push(...(parts.length > 0 ? [" · "] : []), ...more);
    if (station !== null) add({ name: site.nameOf("stations", station) });
    if (room !== null) add({ name: site.nameOf("rooms", room) });
    if (since !== null && isHere(person)) add(t("person.since", { time: time.short(since, now) }));
    if (isStale) add(t("person.heard", { age: age(now - seen) }));
    if (!isHere(person)) {
        add(seen === null ? t(isIn(person) ? "person.by-hand" : "person.never") :
            t("person.heard", { age: age(now - seen) }));
    }
    const training = workoutWords(workout, now);
    if (training !== null) add(training);
    return { state, parts, isStale, isKnown: seen !== null };
}

/** `In since 18:02`, or `null`. */
export function attendanceWords(attendance, now, time) {
    if (attendance?.state === "in" && known(attendance.check_in_ms) !== null) {
        return t("person.in-since", { time: time.short(attendance.check_in_ms, now) });
    }
    if (attendance?.state === "out" && known(attendance.check_out_ms) !== null) {
        return t("person.out-since", { time: time.short(attendance.check_out_ms, now) });
    }
    return attendance?.state === "in" ? t("person.in") : null;
}

/** Why somebody should look at a session before it is believed. */
export function reviewWords(attendance) {
    return (attendance?.review ?? []).map((code) => has(`review.${code}`) ? t(`review.${code}`) : code);
}

/** The net time of an open workout: pauses are taken off, also the one that runs. */
export function workoutWords(workout, now) {
    if (!workout || !["active", "paused"].includes(workout.state)) return null;
    const end = workout.state === "paused" ? workout.paused_since_ms ?? now : now;
    const net = elapsed(end - workout.started_ms - (workout.paused_s ?? 0) * 1000);
    return t(`workout.${workout.state}`, { time: net });
}

/**
 * A box that says where somebody is now, in or out, and why somebody should look at it.
 *
 * @param {Element[]} words What else stands there.
 * @param {Element[]} buttons What may be done.
 * @param {boolean} isKnown Whether whoever looks is told who is in.
 */
export function makePresence(words, buttons, isKnown = true) {
    const face = make("span", "face");
    face.setAttribute("aria-hidden", "true");
    const pill = make("span", "pill");
    const [attendance, where, review] = [make("p", "attendance"), make("p", "where"), make("p", "check")];
    const element = make("div", "person panel", face,
        make("div", "words", make("p", "", pill), attendance, where, review, ...words),
        make("div", "buttons", ...buttons));
    element.id = "now";
    return {
        element,
        /** Draws it; returns the line of the person. */
        draw(person, site, time, now) {
            const line = personLine(person, site, time, now);
            setFace(face, person.user, person.name);
            setData(pill, { state: line.state });
            setText(pill, presenceWord(person));
            setSentence(where, line.parts);
            setText(attendance, attendanceWords(person.attendance, now, time) ?? (isKnown ? t("person.out") : ""));
            const reviews = reviewWords(person.attendance);
            review.hidden = reviews.length === 0;
            setText(review, t("person.check", { why: reviews.join(", ") }));
            return line;
        },
    };
}

/** Why a list without anybody is empty. */
export function nobodyWords(session) {
    if (session.may("live")) return t("live.nobody-registered");
    return t(session.user === "" ? "live.belongs-to-nobody" : "live.not-registered");
}

/** The first letter of a name on a colour that is the same at every visit. */
export function setFace(face, user, name) {
    setText(face, initial(name));
    face.style.setProperty("--hue", String(hue(user)));
}

/** The first letter as a reader sees it: an emoji of several code points counts as one. */
function initial(name) {
    const letters = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(name.trim());
    const first = [...letters].map((part) => part.segment)
        .find((letter) => /[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(letter));
    return first === undefined ? "?" : first.toUpperCase();
}

function hue(text) {
    let sum = 7;
    for (const character of text) sum = (sum * 31 + character.codePointAt(0)) % 360;
    return sum;
}

/** What a kind of leave is called: people may have given it a name of their own. */
export function leaveWords(kind) {
    return has(`roster.kind.${kind}`) ? t(`roster.kind.${kind}`) : kind;
}
