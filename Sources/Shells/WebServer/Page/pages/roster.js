import {
    make, makeLink, makeRow, makeSection, makeTable, setCell, setData, setName, setText, showList,
} from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { compare, t } from "../words/words.js";
import { leaveWords } from "./presence.js";
import { LENGTHS, RosterDesk, weekday } from "./roster-desk.js";
import { makeWeek } from "./roster-week.js";

/** Days of leave that are shown before anybody asks for all. */
const FIRST_DAYS = 200;
const COLUMNS = ["date", "person", "kind", "length", "actions"];

/** Shifts with who works them, and leave. Who may not write reads the same. */
export default function roster(main, tools) {
    const { api, site, session, time, drawSoon } = tools;
    const mayWrite = session.may("roster.write");
    const desk = new RosterDesk(api, site, time, drawSoon);
    const shifts = make("ul", "cards shifts");
    shifts.id = "shifts";
    const noShifts = make("p", "nobody", t(mayWrite ? "roster.no-shifts" : "roster.no-shifts-read"));
    const add = makeButton(t("roster.add-shift"), () => desk.addShift(), "go");
    add.id = "add-shift";
    const columns = COLUMNS.slice(0, mayWrite ? 5 : 4).map((name) => t(`roster.column.${name}`));
    const noLeave = t(mayWrite ? "roster.no-leave" : "roster.no-leave-read");
    const { box, rows } = makeTable(t("roster.leave"), columns, noLeave);
    rows.id = "leave-rows";
    const note = makeButton(t("roster.add-leave"), () => desk.addLeave(), "go");
    note.id = "add-leave";
    const since = make("input");
    since.type = "date";
    since.id = "leave-from";
    const label = make("label", "", t("roster.leave-from"));
    label.htmlFor = since.id;
    since.addEventListener("change", () => desk.loadLeave(since.value));
    const all = makeButton("", () => {
        isAll = true;
        drawSoon();
    });
    let isAll = false;
    let noted = null;
    const week = makeWeek(tools, desk);
    const sections = [
        week.element,
        makeSection(t("roster.shifts"), ...(mayWrite ? [make("div", "buttons", add)] : []), desk.partShifts.element,
            noShifts, shifts),
        makeSection(t("roster.leave"), make("div", "buttons leave-bar", make("div", "", label, since),
            ...(mayWrite ? [note] : [])), desk.partLeave.element, box, all),
    ];
    for (const section of sections) section.classList.add("stack");
    main.append(...sections);
    desk.loadShifts();
    desk.loadLeave("");
    return {
        draw(now) {
            if (now === null) return;
            desk.today = time.date(now);
            if (since.value === "" && document.activeElement !== since) since.value = desk.today;
            if (desk.shifts !== null) week.draw();
            // What was noted or taken back stands in the week, too.
            if (desk.leave !== noted) {
                noted = desk.leave;
                week.load();
            }
            noShifts.hidden = desk.shifts === null || desk.shifts.length > 0;
            showList(shifts, desk.shifts ?? [], ({ id }) => id, ({ id }) => makeShift(id, desk, mayWrite),
                (card, shift) => drawShift(card, shift, desk, mayWrite, time));
            box.hidden = desk.leave === null;
            const days = desk.leave ?? [];
            all.hidden = isAll || days.length <= FIRST_DAYS;
            setText(all, t("roster.all-leave", { n: days.length }));
            showList(rows, isAll ? days : days.slice(0, FIRST_DAYS), ({ user, date }) => `${date} ${user}`, () =>
                makeLeave(columns), (row, day) => drawLeave(row, day, desk, mayWrite, time));
        },
    };
}

function makeShift(id, desk, mayWrite) {
    const card = make("li", "card shift", make("h3"), make("p", "shift-hours"), make("p", "detail"),
        make("ul", "workers"), make("p", "nobody", t("roster.no-workers")));
    if (mayWrite) {
        card.append(make("div", "buttons", makeButton(t("roster.assign"), () => desk.assign(id)),
            makeButton(t("roster.end-shift"), () => desk.endShift(id), "quiet")));
    }
    return card;
}

function drawShift(card, shift, desk, mayWrite, time) {
    const [name, hours, detail, workers, nobody] = card.children;
    setData(card, { shift: shift.id });
    setName(name, shift.name);
    setText(hours, `${shift.start} – ${shift.end}`);
    const told = LENGTHS.filter(([one, preset]) => shift[one] !== preset)
        .map(([one]) => t(`roster.told.${one}`, { minutes: shift[one] }));
    setText(detail, told.join(" · "));
    detail.hidden = told.length === 0;
    const sorted = [...shift.assignments].sort((a, b) => compare(a.name, b.name) || compare(a.from, b.from));
    nobody.hidden = sorted.length > 0;
    showList(workers, sorted, ({ id }) => String(id), ({ id }) => {
        const item = make("li", "worker", make("div", "words", makeLink("#"), make("span", "detail")));
        if (mayWrite) item.append(makeButton(t("roster.end"), () => desk.endAssignment(shift.id, id), "ask"));
        return item;
    }, (item, { user, name: who, from, to, weekdays }) => {
        const [link, when] = item.firstElementChild.children;
        setName(link, who || user);
        if (link.getAttribute("href") !== `/people/${user}`) link.href = `/people/${user}`;
        const days = weekdays.length === 7 ? t("roster.every-day") :
            weekdays.map((day) => weekday(day, time)).join(", ");
        const dates = to === undefined ? t("roster.since", { from: time.longDay(from) }) :
            t("roster.until", { from: time.longDay(from), to: time.longDay(to) });
        setText(when, `${days} · ${dates}`);
        setData(item, { over: to !== undefined && to < desk.today ? "true" : null });
        if (!mayWrite) return;
        item.lastElementChild.setAttribute("aria-label", t("roster.end-label", { name: who || user }));
        item.lastElementChild.hidden = to !== undefined && to < desk.today;
    });
}

function makeLeave(columns) {
    const row = makeRow(columns);
    row.children[1].append(makeLink("#"));
    return row;
}

function drawLeave(row, { user, name, date, kind, half }, desk, mayWrite, time) {
    const [day, person, what, length, actions] = row.children;
    setData(row, { user, date });
    setCell(day, time.longDay(date));
    const link = person.firstElementChild;
    setName(link, name || user);
    if (link.getAttribute("href") !== `/people/${user}`) link.href = `/people/${user}`;
    setName(what, leaveWords(kind));
    setCell(length, t(half ? "roster.half" : "roster.whole-day"));
    if (!mayWrite || actions.firstElementChild !== null) return;
    const back = makeButton(t("roster.take-back"), () => desk.takeBack(user, name, date), "ask");
    back.setAttribute("aria-label", t("roster.take-back-label", { name, date: time.longDay(date) }));
    actions.append(back);
}
