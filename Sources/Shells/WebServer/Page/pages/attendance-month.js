import { make, makeLink, setSentence, setText } from "../kit/element.js";
import { makeButton, makeDayField } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { NONE, addDays, addMonths, compare, hours, sentence, t, weekdayOf } from "../words/words.js";
import { loadLock, whoWords } from "./correction-form.js";
import { openLock } from "./lock-form.js";
import { cellText, makeSheet } from "./month-sheet.js";
import { reviewWords } from "./presence.js";

const COLUMNS = ["name", "worked", "planned", "late", "early", "days", "check"];
/** What a day without hours shows; hours are shown as hours. */
const SHAPES = { leave: "◇", absent: "✕", planned: "◔", off: "·", ongoing: "●", present: "○", half: "◐" };
/** So many weeks stand beside each other where there is most room. */
const WEEKS = 3;

/** A month: a row of sums for each person, and under it each of their days. */
export function makeMonth(main, tools, month) {
    const { api, session, site, time, clock, drawSoon } = tools;
    const place = make("div", "attendance-month");
    const links = make("div", "attendance-links");
    const end = addDays(`${addMonths(month, 1)}-01`, -1);
    const locked = make("p");
    const lockButton = makeButton(t("attendance.lock-month"), () => openLock(tools, end, {
        title: t("attendance.lock-month"),
        done: (words) => {
            setText(said, words);
            return part.load();
        },
    }));
    const said = make("p", "said");
    said.setAttribute("role", "status");
    const lockLine = make("div", "month-lock", locked, lockButton, said);
    lockLine.id = "month-lock";
    let lock = null;
    const part = makePart(async () => {
        const [report, found] = await Promise.all([
            api.get(`/api/v1/reports/attendance-month.json?month=${month}`), loadLock(api, session),
        ]);
        lock = found;
        drawLock();
        place.replaceChildren(lockLine, ...makeContent(report.rows));
        drawSoon();
    });
    main.append(links, part.element, place);
    let isAsked = false;

    /** Whether the lock in force reaches into the month. */
    function isLocked() {
        return lock !== null && lock.through_date >= `${month}-01`;
    }

    /** Through which day it is locked, and the way to lock all of it once it is over. */
    function drawLock() {
        const day = lock === null ? "" : time.longDay(lock.through_date);
        const values = lock === null ? {} : {
            who: { name: whoWords(lock.locked_by) }, why: { name: lock.reason },
            day: isLocked() ? { text: makeLink(`/attendance/${lock.through_date}`, day) } : day,
            on: time.longDay(time.date(lock.locked_ms)),
        };
        setSentence(locked, lock === null ? [t("attendance.never-locked")] :
            sentence(isLocked() ? "attendance.month-locked" : "attendance.locked-before", values));
        const isOver = end < time.date(clock.now() ?? 0);
        lockButton.hidden = !session.may("lock") || !isOver || lock !== null && lock.through_date >= end;
    }

    /** The same for paper. */
    function lockWords() {
        return isLocked() ? sentence("attendance.sheet-locked", {
            day: time.longDay(lock.through_date), who: { name: whoWords(lock.locked_by) },
        }) : [t("attendance.sheet-open")];
    }

    function makeLinks(now) {
        const words = time.longMonth(month);
        setText(main.querySelector("h1"), words);
        document.title = `${words} · ${site.name || "Beaconmesh"}`;
        const link = (address, text, label = null) => {
            const made = makeLink(address, text);
            made.className = "button";
            if (label !== null) made.setAttribute("aria-label", label);
            return made;
        };
        const field = makeDayField("month", month, t("attendance.month"), (other) => {
            location.assign(`/attendance/${other}`);
        });
        // Spreadsheets in German expect semicolons.
        const kind = document.documentElement.lang === "de" ? "&separator=semicolon&bom=1" : "";
        const csv = link(`/api/v1/reports/attendance-month.csv?month=${month}${kind}`, t("attendance.csv"));
        csv.download = `attendance-${month}.csv`;
        links.replaceChildren(
            link(`/attendance/${addMonths(month, -1)}`, "←", t("attendance.month-before")), field,
            link(`/attendance/${addMonths(month, 1)}`, "→", t("attendance.month-after")),
            ...(month === time.date(now).slice(0, 7) ? [] :
                [link(`/attendance/${time.date(now).slice(0, 7)}`, t("attendance.this-month"))]),
            link("/attendance", t("attendance.today")),
            ...(session.may("reports") ? [link("/attendance/reports", t("attendance.reports")), csv] : []),
            makeButton(t("attendance.print"), () => print()));
    }

    function makeContent(rows) {
        const people = new Map();
        for (const row of rows) {
            if (!people.has(row.user)) {
                people.set(row.user, { user: row.user, name: row.name, days: new Map(), sum: null });
            }
            const person = people.get(row.user);
            if (row.line === "sum") {
                person.sum = row;
            } else {
                person.days.set(row.date, [...(person.days.get(row.date) ?? []), row]);
            }
        }
        const all = [...people.values()].sort((a, b) => compare(a.name, b.name) || compare(a.user, b.user));
        // Whoever was neither there nor expected has nothing to be read.
        const some = all.filter((one) => one.sum !== null && (one.sum.present_s > 0 || one.sum.planned_s > 0 ||
            one.sum.review.length > 0 || [...one.days.values()].flat().some((row) => row.leave !== undefined)));
        if (some.length === 0) return [make("p", "empty-list", t("attendance.month-empty"))];
        const labels = COLUMNS.map((column) => t(`attendance.column.${column}`));
        const head = make("tr", "", ...labels.map((label) => {
            const cell = make("th", "", label);
            cell.scope = "col";
            return cell;
        }));
        const table = make("table", "month-table", make("thead", "", head),
            ...some.map((one) => makePerson(one, labels)), make("tfoot", "", makeTotal(some, labels)));
        table.setAttribute("aria-label", time.longMonth(month));
        const legend = make("p", "detail legend", Object.entries(SHAPES)
            .map(([state, shape]) => `${shape} ${t(`attendance.month-state.${state}`)}`).join(" · ") +
            ` · ? ${t("attendance.month-state.check")}`);
        const left = all.length - some.length;
        return [table, paper(some, legend.textContent), legend,
            ...(left === 0 ? [] : [make("p", "detail", t("attendance.month-left", { n: left }))])];
    }

    function makeTotal(some, labels) {
        return makeSums("th", t("attendance.total"), labels, totals(some));
    }

    function totals(some) {
        const total = (member) => some.reduce((sum, one) => sum + one.sum[member], 0);
        return [
            hours(total("worked_s")), hours(total("planned_s")), hours(total("late_s")), hours(total("early_s")),
            String(some.reduce((sum, one) => sum + presentDays(one), 0)),
            String(some.reduce((sum, one) => sum + checkDays(one), 0)),
        ];
    }

    /** The same for paper. */
    function paper(some, legend) {
        const people = some.map((one) => ({
            name: one.name,
            cells: new Map([...one.days].map(([day, rows]) => {
                const { state, shape, worked } = readDay(rows);
                return [day, cellText(worked, state === "off" ? "" : shape, state === "check")];
            })),
            figures: [
                ...["worked_s", "planned_s", "late_s", "early_s"].map((member) =>
                    one.sum[member] > 0 ? hours(one.sum[member]) : NONE),
                String(presentDays(one)), checkDays(one) > 0 ? String(checkDays(one)) : NONE,
            ],
        }));
        return makeSheet({
            title: [site.name, time.longMonth(month), time.zone].join(" · "), people, month, time, legend, lock: lockWords(),
            columns: COLUMNS.slice(1).map((column) => t(`attendance.column.${column}`)), total: totals(some),
        });
    }

    function makePerson(one, labels) {
        const { sum } = one;
        const figure = (seconds) => seconds > 0 ? hours(seconds) : null;
        const check = checkDays(one);
        const link = makeLink(`/people/${one.user}`, make("bdi", "", one.name));
        const line = makeSums("th", link, labels, [
            figure(sum.worked_s), figure(sum.planned_s), figure(sum.late_s), figure(sum.early_s),
            presentDays(one) > 0 ? String(presentDays(one)) : null, check > 0 ? String(check) : null,
        ]);
        if (check > 0) line.lastElementChild.dataset.state = "check";
        const cell = make("td", "", makeHeads(), makeDays(one));
        cell.colSpan = COLUMNS.length;
        return make("tbody", "", line, make("tr", "days-line", cell));
    }

    function makeSums(tag, title, labels, figures) {
        const head = make(tag, "", title);
        head.scope = "row";
        return make("tr", "", head, ...figures.map((text, index) => {
            const cell = make("td", "time", text ?? NONE);
            cell.dataset.label = labels[index + 1];
            if (text === null) cell.dataset.empty = "true";
            return cell;
        }));
    }

    /** Under these stand the days; each of them says its weekday itself. */
    function makeHeads() {
        const names = t("attendance.weekdays").split(" ");
        const heads = make("div", "days week-heads", ...Array.from({ length: WEEKS }, () => names).flat()
            .map((name) => make("span", "", name)));
        heads.setAttribute("aria-hidden", "true");
        return heads;
    }

    function makeDays(one) {
        const list = make("ul", "days");
        list.setAttribute("aria-label", t("attendance.days-of", { name: one.name }));
        for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) {
            const rows = one.days.get(day) ?? [];
            const { state, text, words } = readDay(rows);
            const number = `${Number(day.slice(-2))}${state === "check" ? "?" : ""}`;
            const link = makeLink(`/attendance/${day}`, make("span", "number", number), make("span", "value", text));
            link.className = "month-day";
            link.dataset.state = state;
            const label = `${time.shortDay(day)}: ${words}`;
            link.setAttribute("aria-label", label);
            link.title = label;
            list.append(make("li", "", link));
        }
        // The others follow the first.
        list.firstElementChild.style.setProperty("--weekday", String(weekdayOf(`${month}-01`) + 1));
        return list;
    }

    return {
        draw(now) {
            if (links.childElementCount === 0) makeLinks(now);
            if (isAsked) return;
            isAsked = true;
            part.load();
        },
    };
}

function presentDays(one) {
    return [...one.days.values()].filter((rows) => rows.some((row) => row.present_s > 0)).length;
}

function checkDays(one) {
    return [...one.days.values()].filter((rows) => rows.some((row) => row.review.length > 0)).length;
}

/** What a day shows: its state, its shape or hours, and the same in words. */
function readDay(rows) {
    const worked = rows.reduce((sum, row) => sum + row.worked_s, 0);
    const is = (status) => rows.some((row) => row.status === status);
    const reviews = reviewWords({ review: [...new Set(rows.flatMap((row) => row.review))].sort() });
    const state = is("absent") ? "absent" : is("ongoing") ? "ongoing" : is("half-day") ? "half" :
        is("present") ? "present" : is("on-leave") ? "leave" : is("planned") ? "planned" : "off";
    const time = worked > 0 ? hours(worked) : "";
    return {
        state: reviews.length > 0 ? "check" : state, shape: SHAPES[state], worked,
        text: time === "" ? SHAPES[state] : time,
        words: [t(`attendance.month-state.${state}`), time, ...reviews].filter((word) => word !== "").join(", "),
    };
}
