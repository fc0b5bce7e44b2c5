import { Refusal } from "../data/api.js";
import { say } from "../kit/box.js";
import { make, makeLink, makeRow, makeTable, setCell, setData, setName } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { has, hours, number, sentence, t } from "../words/words.js";
import { leaveWords, reviewWords } from "./presence.js";

/** The table of a report, and what stands above it. */

/** Rows that are shown before anybody asks for all. */
const FIRST_ROWS = 200;
/** With more columns than these a table is set small. */
const DENSE = 9;
/** Lengths of time, in the order of their columns; those that are 0 in every row have none. */
const LENGTHS = [
    "planned", "present", "breaks", "deducted", "worked", "late", "early", "before", "after", "time",
];

/** From the slug of a shift to its name; empty for who may not know. */
export async function shiftNames(api) {
    try {
        return new Map((await api.get("/api/v1/shifts")).shifts.map(({ id, name }) => [id, name]));
    } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return new Map();
    }
}

/** Which report it is, about when and whom, and by whose clocks. */
export function captionOf(order, usual, answer, { site, time, clock }) {
    const period = periodOf(order, usual, answer, time, clock.now());
    const values = { report: t(`reports.report.${order.report}`), period, zone: answer.zone };
    const rounded = order.round_min === undefined ? [] : [" ", t("reports.caption-rounded", {
        minutes: order.round_min, how: t(`reports.rounding.${order.rounding}`),
    })];
    const name = { name: site.nameOf("users", order.user) };
    return [
        ...(order.user === undefined ? sentence("reports.caption", values) :
            sentence("reports.caption-person", { ...values, name })),
        ...rounded,
    ];
}

function periodOf(order, usual, answer, time, now) {
    const moment = (ms) => time.short(ms, 0);
    if (usual === "now") return moment(now);
    if (usual === "moments") return `${moment(answer.from_ms)} – ${moment(answer.to_ms)}`;
    if (order.month !== undefined) return time.longMonth(order.month);
    if (order.to !== undefined) return `${time.longDay(order.from)} – ${time.longDay(order.to)}`;
    return time.longDay(order.date ?? order.from ?? time.date(answer.from_ms));
}

/** Draws the rows, and a button for those that there is no place for at first. */
export function drawTable(result, order, answer, tools) {
    const columns = columnsOf(order, answer.rows, tools);
    const labels = columns.map(({ name }) => has(`reports.column.${name}`) ? t(`reports.column.${name}`) : name);
    const { box, rows } = makeTable(t(`reports.report.${order.report}`), labels, t(`reports.empty.${order.report}`));
    if (["overtime", "late-early"].includes(order.report)) {
        box.querySelector(".empty").append(" ", makeLink("/attendance/roster", t("page.roster")));
    }
    box.querySelectorAll("thead th").forEach((cell, index) => {
        cell.classList.toggle("number-cell", columns[index].isNumber === true);
    });
    setData(box, { dense: columns.length > DENSE ? "true" : null });
    const makeLine = (row) => {
        const line = makeRow(labels);
        setData(line, { line: row.line ?? null });
        columns.forEach(({ fill, isNumber = false }, index) => {
            const cell = line.children[index];
            cell.classList.toggle("number-cell", isNumber);
            fill(cell, row);
        });
        return line;
    };
    rows.append(...answer.rows.slice(0, FIRST_ROWS).map(makeLine));
    result.replaceChildren(box);
    if (answer.rows.length > FIRST_ROWS) {
        const all = makeButton(t("reports.all", { n: answer.rows.length }), () => {
            rows.append(...answer.rows.slice(FIRST_ROWS).map(makeLine));
            all.remove();
        });
        result.append(all);
    }
    if (answer.rows.length > 0) result.append(make("p", "detail", t("reports.left-out")));
}

/** The columns that say anything, with how a cell of each is written. */
function columnsOf(order, rows, { site, time, clock, shifts }) {
    const now = clock.now();
    const day = order.month === undefined ? time.longDay.bind(time) : time.shortDay.bind(time);
    const moment = (ms, row) => {
        const noon = row.date === undefined ? null : time.moment(row.date, "12:00");
        return ms === undefined ? "…" : time.short(ms, noon ?? (order.report === "present" ? now : 0));
    };
    const person = (cell, user, name) => {
        const inner = site.isNamed("users", user) ? makeLink(`/people/${encodeURIComponent(user)}`) : make("span");
        setName(inner, name);
        cell.append(inner);
    };
    const at = (name) => ({ name, fill: (cell, row) =>
        setCell(cell, row[`${name}_ms`] === undefined ? null : moment(row[`${name}_ms`], row)) });
    const span = (name, from, to) => ({ name, isThere: (row) => row[from] !== undefined, fill: (cell, row) =>
        setCell(cell, row[from] === undefined ? null : `${moment(row[from], row)}–${moment(row[to], row)}`) });
    const length = (name) => ({ name, isNumber: true, isThere: (row) => row[`${name}_s`] > 0, fill: (cell, row) =>
        setCell(cell, row[`${name}_s`] > 0 ? hours(row[`${name}_s`]) : null) });
    const count = (name) => ({ name, isNumber: true, fill: (cell, row) => setCell(cell, number(row[name])) });
    const place = (name, kind) => ({ name, fill: (cell, row) =>
        setName(cell, row[name] === undefined ? null : site.nameOf(kind(row), row[name])) });
    const word = (name, say) => ({ name, fill: (cell, row) =>
        setCell(cell, row[name] === undefined ? null : say(row[name])) });
    const yes = (name) => word(name, (value) => t(value ? "reports.yes" : "reports.no"));
    const known = [
        { name: "name", isThere: () => true, fill: (cell, row) => person(cell, row.user, row.name) },
        { name: "other_name", fill: (cell, row) => person(cell, row.other, row.other_name) },
        { name: "date", isThere: (row) => row.line !== undefined || row.date !== rows[0].date, fill: (cell, row) =>
            setCell(cell, row.date === undefined ? t("reports.sum") : day(row.date)) },
        word("level", (value) => has(`reports.level.${value}`) ? t(`reports.level.${value}`) : value),
        place("place", (row) => row.level === "station" ? "stations" : "rooms"),
        { name: "shift", fill: (cell, row) =>
            setName(cell, row.shift === undefined ? null : shifts.get(row.shift) ?? row.shift) },
        word("status", (value) => has(`reports.status.${value}`) ? t(`reports.status.${value}`) : value),
        { name: "leave", fill: (cell, row) => setName(cell, row.leave === undefined ? null :
            leaveWords(row.leave)) },
        span("planned_times", "planned_from_ms", "planned_to_ms"), span("times", "first_in_ms", "last_out_ms"),
        at("in"), at("out"), at("from"), at("to"), place("room", () => "rooms"), place("station", () => "stations"),
        at("there"), ...LENGTHS.map(length), count("stays"), count("days"), word("first_date", day),
        word("last_date", day), yes("open"),
        { name: "review", isThere: (row) => row.review?.length > 0, fill: (cell, row) =>
            setCell(cell, row.review?.length > 0 ? reviewWords(row).join(", ") : null) },
        length("unknown"), word("final", (value) => t(value ? "reports.yes" : "reports.not-yet")),
    ];
    const isThere = ({ name, isThere: own }) => rows.some(own ?? ((row) =>
        row[name] !== undefined || row[`${name}_ms`] !== undefined));
    return rows.length === 0 ? known.slice(0, 1) : known.filter(isThere);
}
