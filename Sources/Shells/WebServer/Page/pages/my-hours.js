import { make, makeRow, makeTable, setCell, setData, setText, showList } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { addDays, addMonths, hours, t } from "../words/words.js";
import { openDay, sessionsOf } from "./my-visits.js";
import { leaveWords, reviewWords } from "./presence.js";

/** The hours of this month and the last, with a row for each day of them. */
export function makeHours(tools, asking) {
    const { session, time, drawSoon } = tools;
    const boxes = [0, -1].map((offset) => ({ offset, ...makeMonth(tools, asking) }));
    let month = "";
    const part = makePart(async () => {
        await Promise.all(boxes.map((box) => box.load(addMonths(month, box.offset))));
        drawSoon();
    });
    return {
        children: [part.element, make("div", "months", ...boxes.map(({ element }) => element)),
            make("p", "detail", session.may("reports", "own") ? t("me.hours-paid") : t("me.hours-counted"))],
        load: part.load,
        draw(now) {
            const current = time.date(now).slice(0, 7);
            if (current !== month) {
                month = current;
                part.load();
            }
            for (const box of boxes) box.draw(now);
        },
    };
}

function makeMonth(tools, asking) {
    const { time, session, api } = tools;
    const columns = [t("me.day-of"), t("me.in-out"), t("me.hours-of-day")];
    const [title, sum] = [make("span"), make("span", "sum")];
    const { box, rows } = makeTable(t("me.hours"), columns, t("me.no-visits-in-month"));
    const element = make("details", "month panel", make("summary", "", title, sum), box);
    element.hidden = true;
    let loaded = null;
    return {
        element,
        async load(month) {
            loaded = { month, days: await daysOf(api, session, month) };
        },
        draw() {
            if (loaded === null) return;
            const { month, days } = loaded;
            element.hidden = false;
            setText(title, time.longMonth(month));
            setText(sum, t("me.hours-sum", { hours: hours(days.reduce((all, { worked }) => all + worked, 0)) }));
            const label = t("me.hours-in", { month: time.longMonth(month) });
            const table = box.querySelector("table");
            if (table.getAttribute("aria-label") !== label) table.setAttribute("aria-label", label);
            showList(rows, days, ({ date }) => date, ({ date }) => {
                const row = makeRow(columns);
                row.children[0].append(makeButton("", () => openDay(tools, date, asking), "ask"));
                row.children[1].append(make("span"), make("span", "check"));
                row.children[2].className = "number-cell";
                return row;
            }, (row, { date, from, to, worked, notes }) => {
                setData(row, { date });
                const button = row.children[0].firstElementChild;
                setText(button, time.shortDay(date));
                const [times, check] = row.children[1].children;
                const [start, end] = [from, to].map((moment) => moment === null ? "" : time.clock(moment));
                setText(times, from === null ? t("me.not-in") :
                    to === null ? t("me.since", { from: start }) : t("me.span", { from: start, to: end }));
                setText(check, notes.join(" · "));
                check.hidden = notes.length === 0;
                setCell(row.children[2], hours(worked));
            });
        },
    };
}

/** The days of a month on which somebody was there or should have been: `{ date, from, to, worked, notes }`. */
async function daysOf(api, session, month) {
    if (!session.may("reports", "own")) {
        const last = addDays(`${addMonths(month, 1)}-01`, -1);
        return sumOfSessions(await sessionsOf(api, session.user, `${month}-01`, last));
    }
    const { rows } = await api.get(
        `/api/v1/reports/attendance-month.json?month=${month}&user=${encodeURIComponent(session.user)}`);
    return rows.filter((row) => row.line === "day" && (row.present_s > 0 || row.planned_s > 0 || row.leave))
        .map((row) => ({
            date: row.date, from: row.first_in_ms ?? null, to: row.last_out_ms ?? null, worked: row.worked_s,
            notes: [
                ...(row.planned_s > 0 ? [t("me.planned", { hours: hours(row.planned_s) })] : []),
                ...(row.leave ? [leaveWords(row.leave)] : []),
                ...(row.late_s > 0 ? [t("me.late", { hours: hours(row.late_s) })] : []),
                ...(row.early_s > 0 ? [t("me.early", { hours: hours(row.early_s) })] : []),
                ...reviewNotes(row),
                ...(row.final || row.first_in_ms === undefined ? [] : [t("me.provisional")]),
            ],
        }));
}

function sumOfSessions(sessions) {
    const days = new Map();
    for (const one of sessions) {
        const day = days.get(one.date) ?? { date: one.date, from: one.in_ms, to: null, worked: 0, notes: [] };
        day.to = one.out_ms;
        day.worked += one.length_s;
        for (const note of reviewNotes(one)) if (!day.notes.includes(note)) day.notes.push(note);
        days.set(one.date, day);
    }
    return [...days.values()];
}

function reviewNotes(row) {
    return reviewWords(row).map((why) => t("person.check", { why }));
}
