import { say } from "../kit/box.js";
import { make } from "../kit/element.js";
import { addDays, hours, t } from "../words/words.js";

/** So many days stand beside each other: hours and minutes of each can be read at arm's length. */
const ACROSS = 16;

/**
 * The month on paper: A4 across, two lines a person, who is never split between pages; signed at the end.
 *
 * @param {{ name: string, sum: object, cells: Map<string, string>, figures: string[] }[]} people By name.
 * @param {string[]} columns What the figures are called.
 * @param {(string | object)[]} lock Whether it is locked, as the parts of a sentence.
 */
export function makeSheet({ title, people, columns, total, legend, lock, month, time }) {
    const days = [];
    for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) days.push(day);
    const halves = [days.slice(0, ACROSS), days.slice(ACROSS)];
    const filler = () => Array.from({ length: halves[0].length - halves[1].length }, () => make("td"));
    const tall = (tag, ...content) => {
        const cell = make(tag, "", ...content);
        cell.rowSpan = 2;
        return cell;
    };
    const lines = (name, cellOf, figures, tag) => [
        make("tr", "", tall("th", name), ...halves[0].map(cellOf), ...figures.map((figure) => tall(tag, figure))),
        make("tr", "", ...halves[1].map(cellOf), ...filler()),
    ];
    const head = make("thead", "", ...lines(t("attendance.column.name"), (day) => make("th", "", time.shortDay(day)),
        columns, "th"));
    const bodies = people.map(({ name, cells, figures }) => make("tbody", "", ...lines(make("bdi", "", name),
        (day) => make("td", "", cells.get(day) ?? ""), figures, "td")));
    const sums = make("tbody", "sheet-total", make("tr", "", (() => {
        const cell = make("th", "", t("attendance.total"));
        cell.colSpan = 1 + ACROSS;
        return cell;
    })(), ...total.map((figure) => make("td", "", figure))));
    const line = (word) => make("p", "sheet-sign", make("span"), t(word));
    const sheet = make("section", "month-sheet", make("h2", "", title), make("table", "", head, ...bodies, sums),
        make("p", "legend", legend), say("p", lock, "sheet-lock"),
        make("div", "sheet-signs", line("attendance.sign-date"), line("attendance.sign-name")));
    // Of a page that is looked at it is no part.
    sheet.setAttribute("aria-hidden", "true");
    return sheet;
}

/** Hours and minutes of a day, or what its state is. */
export function cellText(worked, shape, isChecked) {
    return `${worked > 0 ? hours(worked) : shape}${isChecked ? " ?" : ""}`;
}
