import { make, makeLink, makeSection, setData, setName, setText, showList } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { NONE, addDays, compare, mondayOf, t } from "../words/words.js";
import { leaveWords } from "./presence.js";

/** Who works when in a week: a row a person, a column a day; and who is off. */
export function makeWeek({ api, time, drawSoon }, desk) {
    const title = make("strong", "week-title");
    title.setAttribute("role", "status");
    const before = makeButton("←", () => go(-7));
    before.setAttribute("aria-label", t("roster.week-before"));
    const after = makeButton("→", () => go(7));
    after.setAttribute("aria-label", t("roster.week-after"));
    const head = make("tr");
    const body = make("tbody");
    const table = make("table", "week-grid", make("thead", "", head), body);
    table.setAttribute("aria-label", t("roster.week"));
    const nobody = make("p", "nobody", t("roster.week-none"));
    const part = makePart(async () => {
        const wanted = monday;
        const { leave } = await api.get(`/api/v1/leave?from=${wanted}&to=${addDays(wanted, 6)}`);
        if (wanted !== monday) return;
        off = leave;
        loaded = wanted;
        drawSoon();
    });
    const element = makeSection(t("roster.week"), make("div", "buttons", before, title, after), part.element,
        make("div", "rows week-rows", table), nobody);
    element.id = "roster-week";
    let monday = null;
    let off = [];
    let drawn = "";
    /** The week whose leave is known. */
    let loaded = null;

    function go(days) {
        monday = addDays(monday, days);
        off = [];
        part.load();
        drawSoon();
    }

    /** Of each person what they do on each day of the week: shifts that are theirs then, and leave. */
    function people(days) {
        const found = new Map();
        const add = (user, name, day, words) => {
            if (!found.has(user)) found.set(user, { user, name: name || user, days: new Map() });
            const cells = found.get(user).days;
            cells.set(day, [...(cells.get(day) ?? []), words]);
        };
        for (const shift of desk.shifts ?? []) {
            for (const { user, name, from, to, weekdays } of shift.assignments) {
                days.forEach((day, index) => {
                    if (day < from || (to !== undefined && day > to) || !weekdays.includes(index + 1)) return;
                    add(user, name, day, { text: `${shift.start}–${shift.end}`, title: shift.name, kind: "shift" });
                });
            }
        }
        for (const { user, name, date, kind, half } of off) {
            add(user, name, date, {
                text: `${leaveWords(kind)}${half ? ` ½` : ""}`, title: t(half ? "roster.half" : "roster.whole-day"), kind: "leave",
            });
        }
        return [...found.values()].sort((a, b) => compare(a.name, b.name) || compare(a.user, b.user));
    }

    return {
        element,
        /** Asks for it once more: something was changed. */
        load: () => (monday === null ? undefined : part.load()),
        draw() {
            if (monday === null) {
                monday = mondayOf(desk.today);
                part.load();
            }
            const days = Array.from({ length: 7 }, (_, index) => addDays(monday, index));
            if (drawn !== monday) {
                drawn = monday;
                const heads = ["", ...days].map((day) => {
                    const cell = make("th", "", day === "" ? t("roster.column.person") : time.shortDay(day));
                    cell.scope = "col";
                    setData(cell, { today: day === desk.today ? "true" : null });
                    return cell;
                });
                head.replaceChildren(...heads);
                setText(title, t("roster.week-of", { from: time.longDay(monday), to: time.longDay(days[6]) }));
            }
            // Of shifts that were removed nothing is told any more: earlier weeks would be wrong.
            before.disabled = monday <= mondayOf(desk.today);
            const all = loaded === monday ? people(days) : [];
            table.parentElement.hidden = all.length === 0;
            nobody.hidden = loaded !== monday || all.length > 0;
            showList(body, all, ({ user }) => user, ({ user }) => {
                const name = make("th", "", makeLink(`/people/${user}`));
                name.scope = "row";
                return make("tr", "", name, ...days.map(() => make("td")));
            }, (row, one) => {
                setName(row.firstElementChild.firstElementChild, one.name);
                days.forEach((day, index) => {
                    const cell = row.children[index + 1];
                    cell.dataset.label = time.shortDay(day);
                    const words = one.days.get(day) ?? [];
                    setData(cell, { empty: words.length === 0 ? "true" : null, kind: words.at(-1)?.kind ?? null });
                    setText(cell, words.length === 0 ? NONE : words.map(({ text }) => text).join(", "));
                    cell.title = words.map(({ title: one }) => one).join(", ");
                });
            });
        },
    };
}
