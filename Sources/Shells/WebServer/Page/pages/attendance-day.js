import {
    make, makeLink, makeRow, makeTable, setData, setName, setSentence, setText, showList,
} from "../kit/element.js";
import { makeButton, makeSearch } from "../kit/form.js";
import { makeNext, showNext } from "../kit/next.js";
import { makeStrip } from "../kit/strip.js";
import { NONE, compare, hours, known, sentence, t } from "../words/words.js";
import { clockWords, makeEditor, spanWords } from "./correction-form.js";
import { leaveWords, reviewWords } from "./presence.js";

const COLUMNS = ["name", "day", "in", "out", "worked", "state", "act"];
/** What is counted over the list, and filters it. */
const COUNTS = ["expected", "in", "late", "missing", "absent", "leave", "check"];
const HOUR_MS = 3_600_000;
/** Of more people than so many one is found by name. */
const FEW = 8;

/**
 * Who was there on a day: a line of counts, and a row for each person.
 *
 * @param {object} tools
 * @param {() => void} changed Called when a correction was made.
 * @returns {{ element: Element, draw: (data: object, now: number) => void }} `data` as attendance.js loads it.
 */
export function makeDay(tools, changed) {
    const { site, session, time, drawSoon } = tools;
    const columns = COLUMNS.map((column) => t(`attendance.column.${column}`));
    const { box, rows } = makeTable(t("page.attendance"), columns, "");
    rows.id = "attendance-rows";
    const counts = make("div", "counts");
    counts.setAttribute("role", "group");
    counts.setAttribute("aria-label", t("attendance.filter"));
    const search = makeSearch(t("live.search"), drawSoon);
    search.element.hidden = true;
    const more = makeButton("", () => {
        isAll = !isAll;
        drawSoon();
    }, "quiet");
    const next = makeNext(session, "people.write", "/setup/users", "setup.add.users");
    const element = make("div", "attendance-day", search.element, counts, box, ...next, more);
    element.hidden = true;
    /** The open forms, from person to editor. */
    const editors = new Map();
    let filter = null;
    let isAll = false;
    let shown = null;
    const buttons = new Map(COUNTS.map((name) => {
        const button = makeButton("", () => {
            filter = filter === name ? null : name;
            drawSoon();
        }, "count");
        button.dataset.state = name;
        button.append(make("span", "number"), make("span", "", ""));
        counts.append(button);
        return [name, button];
    }));

    function edit(person, id) {
        const { user } = person;
        const editor = editors.get(user) ?? makeEditor(tools, COLUMNS.length, person, () => shown, () => {
            editors.delete(user);
            drawSoon();
        }, changed);
        editors.set(user, editor);
        editor.show(person, id);
        drawSoon();
        editor.element.querySelector("input, select")?.focus();
    }

    return {
        element,
        draw(data, now) {
            shown = data;
            element.hidden = false;
            const people = peopleOfDay(data, site, now);
            for (const [name, button] of buttons) {
                const count = people.filter((one) => one.counts.has(name)).length;
                const [number, words] = button.children;
                setText(number, String(count));
                setText(words, t(`attendance.count.${name}`));
                button.setAttribute("aria-pressed", String(filter === name));
                // Nothing is counted there; what filters the list can still be let go.
                button.hidden = count === 0 && filter !== name;
                setData(button, { some: count > 0 ? "true" : null });
            }
            counts.hidden = [...buttons.values()].every((button) => button.hidden);
            search.element.hidden = people.length <= FEW && search.isEmpty();
            const isAsked = !search.isEmpty();
            const folded = people.filter((one) => one.isFolded && !editors.has(one.user)).length;
            // Whoever is looked for may be one who is not expected.
            const found = people.filter((one) => editors.has(one.user) || search.finds(one.name) &&
                (filter === null ? isAll || isAsked || !one.isFolded : one.counts.has(filter)));
            more.hidden = filter !== null || isAsked || folded === 0;
            setText(more, isAll ? t("attendance.fewer") : t("attendance.all", { n: people.length }));
            showNext(next, people.length === 0);
            setText(box.querySelector(".empty"), t(people.length === 0 ? "attendance.nobody-registered" :
                isAsked ? "live.not-found" : filter === null ? "attendance.nobody" : "attendance.nobody-such"));
            const strip = stripRange(people, data, now, time);
            const items = found.flatMap((person) => editors.has(person.user) ?
                [{ person }, { person, editor: editors.get(person.user) }] : [{ person }]);
            const focused = document.activeElement;
            showList(rows, items,
                ({ person, editor }) => editor ? `${person.user}/edit` : person.user,
                ({ person, editor }) => editor ? editor.element : makePersonRow(columns, person),
                (row, { person, editor }) => {
                    if (!editor) update(row, person, data, strip, now);
                });
            // A row that moved in the list has lost the focus.
            if (focused !== document.activeElement && rows.contains(focused)) focused.focus();
        },
    };

    function update(row, person, data, strip, now) {
        const cells = row.children;
        setName(cells[0].firstElementChild, person.name);
        setData(row, { user: person.user, state: person.state });
        row.strip.draw({ ...strip, now, parts: partsOf(person, data, now) });
        const mayCorrect = session.may("correct");
        const isLocked = data.lock !== null && data.date <= data.lock.through_date;
        const stamp = (cell, moment, one, key) => {
            const text = moment === null ? NONE : clockWords(time, data.date, moment);
            // A day before this one is corrected there.
            const isElsewhere = one?.date !== undefined && one.date !== data.date;
            const isButton = one?.rev !== undefined && mayCorrect && !isElsewhere && (!isLocked || one.out_ms === null);
            const label = isButton && moment === null ? t("attendance.no-out") : text;
            fillCell(cell, `${label} ${isButton} ${isElsewhere && one.date} ${one?.id}`, () =>
                isElsewhere ? makeLink(`/attendance/${one.date}`, text) :
                    isButton ? makeStamp(label, () => edit(row.person, one.id), t(`attendance.touch.${key}`, {
                        name: person.name, time: label })) : make("span", "", text));
            setData(cell, { empty: moment === null && !isButton ? "true" : null });
        };
        row.person = person;
        const [first, last] = [person.sessions[0] ?? null, person.sessions.at(-1) ?? null];
        stamp(cells[2], first?.in_ms ?? null, first, "in");
        stamp(cells[3], last === null ? null : last.out_ms ?? null, last, "out");
        const worked = person.worked_s > 0 ? hours(person.worked_s) : null;
        const planned = person.planned_s > 0 ? t("attendance.of", { time: hours(person.planned_s) }) : "";
        setData(cells[4], { empty: worked === null && planned === "" ? "true" : null });
        fillCell(cells[4], `${worked} ${planned}`, () =>
            make("span", "worked", worked ?? NONE, ...(planned === "" ? [] : [make("small", "", planned)])));
        fillCell(cells[5], JSON.stringify([person.state, person.pills, person.notes, person.pending]), () =>
            make("div", "states", ...[[person.state, t(`attendance.state.${person.state}`)], ...person.pills]
                .map(([state, text]) => {
                    const pill = make("span", "pill", text);
                    pill.dataset.state = state;
                    return pill;
                }),
            ...person.notes.map((parts) => {
                const note = make("span", "check");
                setSentence(note, parts);
                return note;
            }),
            ...person.pending.map((one) => makeLink("/attendance/corrections", t("attendance.waits-for", {
                what: one.new_from_ms === undefined ? t(`attendance.becomes.${one.change}`) :
                    spanWords(time, data.date, one.new_from_ms, one.new_to_ms ?? null),
            })))));
        const isOpenable = mayCorrect && (!isLocked || person.sessions.some((one) => one.out_ms === null));
        const own = person.sessions.filter((one) => one.date === undefined || one.date === data.date);
        const act = t(own.length > 0 ? "attendance.correct" : "attendance.add");
        fillCell(cells[6], `${act} ${isOpenable}`, () => isOpenable ?
            makeStamp(act, () => edit(row.person, null), `${act}: ${person.name}`) : make("span"));
        setData(cells[6], { empty: isOpenable ? null : "true" });
    }
}

function makeStamp(text, act, label) {
    const button = makeButton(text, act, "ask stamp");
    button.setAttribute("aria-label", label);
    return button;
}

/** Fills a cell anew only if what it shows has changed, so that a button keeps the focus. */
function fillCell(cell, key, makeContent) {
    if (cell.shown === key) return;
    cell.shown = key;
    cell.replaceChildren(makeContent());
}

function makePersonRow(columns, { user, name }) {
    const row = makeRow(columns);
    row.strip = makeStrip(t("attendance.strip", { name }));
    row.children[0].append(makeLink(`/people/${user}`));
    row.children[1].append(row.strip.element);
    row.children[1].className = "day-strip";
    for (const index of [2, 3, 4]) row.children[index].className = "time";
    row.children[5].className = "state";
    row.children[6].className = "act";
    return row;
}

/** Everybody of a day, with what is known of them live laid over what was loaded; by name. */
function peopleOfDay(data, site, now) {
    const users = new Map();
    for (const row of data.rows) {
        if (!users.has(row.user)) users.set(row.user, { user: row.user, name: row.name, rows: [] });
        users.get(row.user).rows.push(row);
    }
    for (const one of users.values()) {
        one.sessions = sessionsOf(one.user, data, data.isToday ? site.payload("user", one.user, "attendance") : null);
        one.pending = data.pending.filter((wish) => wish.user === one.user && isOfDay(wish, data));
        Object.assign(one, judge(one, data, now));
    }
    return [...users.values()].sort((a, b) => compare(a.name, b.name) || compare(a.user, b.user));
}

function isOfDay(wish, data) {
    return [wish.old_from_ms, wish.new_from_ms].some((from) => from >= data.from && from < data.to);
}

/** The sessions of a person that reach into the day, oldest first. */
function sessionsOf(user, data, live) {
    const found = data.sessions.filter((one) => one.user === user && (one.date === data.date ||
        data.isToday && one.out_ms === null));
    const id = live?.session ?? null;
    const from = known(live?.check_in_ms);
    if (id !== null && from !== null) {
        const isIn = live.state === "in";
        const told = { in_ms: from, out_ms: isIn ? null : known(live.check_out_ms), review: live.review ?? [] };
        const index = found.findIndex((one) => one.id === id);
        if (index >= 0) {
            found[index] = { ...found[index], ...told };
        } else if (isIn || from >= data.from) {
            found.push({ id, user, ...told });
        }
    }
    return found.sort((a, b) => a.in_ms - b.in_ms);
}

/** What a person's day comes to: a state, pills beside it, words, and what they are counted as. */
function judge({ rows, sessions, pending }, data, now) {
    const sum = (member) => rows.reduce((total, row) => total + (row[member] ?? 0), 0);
    const is = (status) => rows.some((row) => row.status === status);
    const open = sessions.some((one) => one.out_ms === null);
    const isExpected = rows.some((row) => row.planned_s > 0);
    const late = sum("late_s");
    const early = sum("early_s");
    const unknown = sum("unknown_s");
    const isMissing = sessions.length === 0 && rows.some((row) => row.status === "ongoing" && row.planned_s > 0 &&
        now > row.planned_from_ms + (data.shifts.get(row.shift)?.late_grace_min ?? 0) * 60_000);
    const isFinal = rows.every((row) => row.final);
    const state = open ? "in" : isMissing ? "missing" : is("absent") ? "absent" : is("half-day") ? "half" :
        sessions.length > 0 || is("present") ? isFinal ? "final" : "out" : is("on-leave") ? "leave" :
            is("planned") || is("ongoing") ? "planned" : "off";
    const { reviews, isSeen } = openReviews(rows, sessions, data);
    const pills = [];
    if (late > 0) pills.push(["late", t("attendance.late-by", { time: hours(late) })]);
    if (reviews.length > 0) pills.push(["check", t("attendance.state.check")]);
    // Shifts and kinds of leave have names that people gave them.
    const notes = reviews.map((text) => [text]);
    for (const row of rows.filter((one) => one.shift !== undefined)) {
        notes.push([{ name: data.shifts.get(row.shift)?.name ?? row.shift }]);
    }
    const leave = rows.find((row) => row.leave !== undefined)?.leave;
    if (leave !== undefined) notes.push(sentence("attendance.on-leave", { kind: { name: leaveWords(leave) } }));
    if (early > 0) notes.push([t("attendance.early-by", { time: hours(early) })]);
    if (unknown > 0) notes.push([t("attendance.unknown-for", { time: hours(unknown) })]);
    for (const cause of new Set(sessions.flatMap((one) => [one.in_cause, one.out_cause]))) {
        if (cause === "manual" || cause === "corrected") notes.push([t(`attendance.cause.${cause}`)]);
    }
    if (isSeen) notes.push([t("attendance.seen")]);
    if (sum("deducted_s") > 0) notes.push([t("attendance.deducted", { time: hours(sum("deducted_s")) })]);
    const counts = new Set();
    if (isExpected) counts.add("expected");
    if (open) counts.add("in");
    if (late > 0) counts.add("late");
    if (isMissing) counts.add("missing");
    if (is("absent")) counts.add("absent");
    if (leave !== undefined) counts.add("leave");
    if (reviews.length > 0) counts.add("check");
    const runs = open && data.isToday && unknown === 0 && rows.some((row) => row.first_in_ms !== undefined);
    return {
        state, pills, notes, counts, unknown, planned_s: sum("planned_s"),
        worked_s: sum("worked_s") + (runs ? Math.max(0, now - data.loadedAt) / 1000 : 0),
        isFolded: state === "off" && reviews.length === 0 && pending.length === 0,
    };
}

/** Why somebody should look at the day, without what somebody looked at and found right as it still stands. */
function openReviews(rows, sessions, data) {
    const isSeen = ({ id, rev }) => data.seen.some((one) => one.session === id && one.session_rev === rev);
    const codes = new Set(sessions.flatMap((one) => isSeen(one) ? [] : one.review ?? []));
    const told = new Set(sessions.flatMap((one) => one.review ?? []));
    for (const code of rows.flatMap((row) => row.review)) if (!told.has(code)) codes.add(code);
    return { reviews: reviewWords({ review: [...codes].sort() }), isSeen: sessions.some(isSeen) };
}

/** From when until when the strips go: what happened, to full steps of the day, with the words below. */
function stripRange(people, data, now, time) {
    const moments = people.flatMap((one) => [
        ...one.sessions.flatMap(({ in_ms: from, out_ms: to }) => [from, to ?? now]),
        ...one.rows.flatMap((row) => row.planned_from_ms === undefined ? [] : [row.planned_from_ms, row.planned_to_ms]),
    ]).map((moment) => Math.min(data.to, Math.max(data.from, moment)) - data.from);
    const [least, most] = moments.length === 0 ? [0, data.to - data.from] :
        [Math.min(...moments), Math.max(...moments)];
    const step = (most - least > 9 * HOUR_MS ? 6 : 3) * HOUR_MS;
    const first = Math.floor(least / step);
    const last = Math.max(Math.ceil(most / step), first + 2);
    const words = [];
    for (let one = first; one <= last; one += 1) words.push(time.clock(data.from + one * step));
    return { from: data.from + first * step, to: data.from + last * step, hours: words };
}

/** The parts of a person's strip. */
function partsOf(person, data, now) {
    const parts = [];
    for (const row of person.rows) {
        if (row.planned_from_ms === undefined) continue;
        parts.push({ from: row.planned_from_ms, to: row.planned_to_ms, kind: "shift",
            label: data.shifts.get(row.shift)?.name ?? row.shift });
    }
    for (const one of person.sessions) {
        const isUnknown = one.out_ms === null && person.unknown > 0;
        const heard = isUnknown ? data.loadedAt - person.unknown * 1000 : one.out_ms;
        parts.push({ from: one.in_ms, to: heard, kind: "session", label: t("attendance.state.in") });
        if (isUnknown) parts.push({ from: heard, to: now, kind: "unknown", label: t("attendance.nobody-listened") });
    }
    return parts;
}
