import { make, setData, setText, showList } from "../kit/element.js";
import { closeButton, makeButton, openDialog } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { makeStrip } from "../kit/strip.js";
import { addDays, hours, t } from "../words/words.js";
import { reviewWords } from "./presence.js";

/** The days of the week since the first day of Unix time, which was a Thursday. */
const THURSDAY = 3;
const DAY_MS = 86_400_000;

/** The sessions of attendance from a day to a day, the oldest first. */
export async function sessionsOf(api, user, from, to) {
    const found = await api.all(
        `/api/v1/attendance/sessions?user=${encodeURIComponent(user)}&from=${from}&to=${to}&limit=500`, "sessions");
    return found.reverse();
}

/** `27 Nov, 14:03 to 15:10, 1:07 h`. */
export function visitWords(one, now, time) {
    const { in_ms: from, out_ms: to, length_s: length, breaks_s: breaks, unknown_s: unknown } = one;
    const start = time.short(from, now);
    if (to === null) {
        return t("me.visit-open", { from: start, hours: hours(Math.max(0, (now - from) / 1000 - breaks - unknown)) });
    }
    const end = time.date(from) === time.date(to) ? time.clock(to) : time.short(to, now);
    return t("me.visit", { from: start, to: end, hours: hours(length) });
}

/**
 * A list of sessions, each with a way to say that it is wrong; `draw(sessions, now)`.
 *
 * @param {((session: object) => void) | null} ask Says that one is wrong; `null` for who may not.
 */
export function makeVisits(label, time, ask) {
    const list = make("ul", "visits");
    list.setAttribute("aria-label", label);
    let shown = [];
    return {
        element: list,
        draw(sessions, now) {
            shown = sessions;
            showList(list, sessions, ({ id }) => String(id), ({ id }) => {
                const item = make("li", "", make("div", "words", make("span", "times"), make("span", "check")));
                if (ask !== null) {
                    const find = () => ask(shown.find((one) => one.id === id));
                    item.append(makeButton(t("me.wrong"), find, "ask"));
                }
                return item;
            }, (item, one) => {
                setData(item, { session: one.id });
                const [times, check] = item.firstElementChild.children;
                const words = visitWords(one, now, time);
                setText(times, words);
                const notes = reviewWords(one).map((why) => t("person.check", { why }));
                if (one.out_ms !== null && !one.final) notes.push(t("me.provisional"));
                if (one.breaks_s > 0) notes.push(t("me.breaks", { hours: hours(one.breaks_s) }));
                setText(check, notes.join(" · "));
                check.hidden = notes.length === 0;
                const label = t("me.wrong-visit", { visit: time.short(one.in_ms, now) });
                const button = item.children[1];
                if (button && button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
            });
        },
    };
}

/** A box with the sessions of one day. */
export async function openDay(tools, date, asking) {
    const { api, clock, session, time } = tools;
    const visits = makeVisits(t("me.visits-of", { day: time.longDay(date) }), time, asking?.ask ?? null);
    const none = make("p", "detail", t("me.no-visits"));
    none.hidden = true;
    const part = makePart(async () => {
        const found = await sessionsOf(api, session.user, date, date);
        visits.draw(found, clock.now() ?? 0);
        none.hidden = found.length > 0;
    });
    const buttons = make("div", "buttons", closeButton());
    if (asking !== null) buttons.prepend(makeButton(t("me.missing"), () => asking.askMissing(date)));
    openDialog(time.longDay(date), part.element, visits.element, none, buttons);
    await part.load();
}

/** Today: a strip of it, and the sessions of today and of a night that reaches into it. */
export function makeDay(tools, asking) {
    const { api, session, time, drawSoon } = tools;
    const own = `user=${encodeURIComponent(session.user)}`;
    const strip = makeStrip(t("me.strip"));
    const shift = make("p", "detail");
    shift.hidden = true;
    const visits = makeVisits(t("me.visits"), time, asking?.ask ?? null);
    const none = make("p", "detail", t("me.none-today"));
    let today = "";
    let loaded = null;
    const part = makePart(async () => {
        const [from, to] = [time.startOf(today), time.startOf(addDays(today, 1))];
        const [sessions, workouts, shifts] = await Promise.all([
            sessionsOf(api, session.user, addDays(today, -1), today),
            session.may("workouts.read", "own") ?
                api.get(`/api/v1/workouts?${own}&from_ms=${from - DAY_MS}&to_ms=${to}`) : { workouts: [] },
            session.may("roster.read", "own") ? api.get(`/api/v1/shifts?${own}`) : { shifts: [] },
        ]);
        loaded = {
            from, to,
            sessions: sessions.filter((one) => one.date === today || one.out_ms === null || one.out_ms > from),
            workouts: workouts.workouts.filter((one) => one.ended_ms === null || one.ended_ms > from),
            shifts: shiftsOn(today, shifts.shifts, session.user, time),
        };
        drawSoon();
    });
    const buttons = make("div", "buttons");
    if (asking !== null) buttons.append(makeButton(t("me.missing"), () => asking.askMissing(today)));
    strip.element.hidden = none.hidden = true;
    return {
        children: [shift, strip.element, part.element, visits.element, none, buttons],
        load: part.load,
        draw(now) {
            const date = time.date(now);
            if (date !== today) {
                today = date;
                part.load();
            }
            if (loaded === null) return;
            const { from, to, sessions, shifts } = loaded;
            strip.element.hidden = false;
            none.hidden = sessions.length > 0;
            visits.draw(sessions, now);
            shift.hidden = shifts.length === 0;
            setText(shift, shifts.map((one) => one.label).join(" · "));
            strip.draw({
                from, to, now, parts: partsOf(loaded, now, time),
                hours: [0, 1, 2, 3, 4].map((quarter) => time.clock(from + (to - from) * quarter / 4)),
            });
        },
    };
}

/** The parts of the strip: shifts, sessions, what nobody listened to, workouts. */
function partsOf({ sessions, workouts, shifts }, now, time) {
    const span = (from, to) => to === null ? t("me.since", { from: time.clock(from) }) :
        t("me.span", { from: time.clock(from), to: time.clock(to) });
    const parts = [...shifts];
    for (const one of sessions) {
        const [from, to] = [one.in_ms, one.out_ms];
        // Of a session that goes on, what nobody listened to is its end.
        const isUnheard = to === null && one.unknown_s > 0;
        const known = isUnheard ? from + (one.length_s + one.breaks_s) * 1000 : to;
        parts.push({ from, to: known, kind: "session", label: t("me.part-in", { span: span(from, known) }) });
        if (isUnheard) {
            const label = t("me.part-unknown", { span: span(known, null) });
            parts.push({ from: known, to: null, kind: "unknown", label });
        }
    }
    for (const { started_ms: from, ended_ms: to } of workouts) {
        parts.push({ from, to, kind: "workout", label: t("me.part-workout", { span: span(from, to) }) });
    }
    return parts;
}

/** When somebody is to work on a day. */
function shiftsOn(date, shifts, user, time) {
    const weekday = (Math.floor(Date.parse(`${date}T12:00:00Z`) / DAY_MS) + THURSDAY) % 7 + 1;
    return shifts.flatMap(({ name, id, start, end, assignments }) => assignments
        .filter((one) => one.user === user && one.from <= date && (one.to ?? date) >= date &&
            one.weekdays.includes(weekday))
        .map(() => ({
            from: time.moment(date, start) ?? time.startOf(date),
            to: time.moment(end <= start ? addDays(date, 1) : date, end) ?? time.startOf(addDays(date, 1)),
            kind: "shift", label: t("me.part-shift", { shift: name ?? id, from: start, to: end }),
        })));
}
