import { addDays } from "../words/words.js";
import { makeShape } from "./element.js";

/** A day's place and its gap, in units of the drawing. */
const CELL = 10;
const GAP = 2;
const DAYS = 7;

/**
 * A calendar of weeks from left to right, Monday on top, with a shade for each day.
 *
 * @param {string} label What it is a picture of.
 */
export function makeHeat(label) {
    const svg = makeShape("svg", { class: "heat", role: "img", "aria-label": label });
    return {
        element: svg,
        /**
         * @param {string} from The first day, a Monday, such as `2026-03-30`.
         * @param {string} to The last day.
         * @param {(date: string) => { level: number, words: string }} dayOf `level` from 0 (nothing) to 4.
         * @param {string} words What all of it says.
         */
        draw(from, to, dayOf, words) {
            const shapes = [];
            for (let date = from, place = 0; date <= to; date = addDays(date, 1), place += 1) {
                const { level, words: said } = dayOf(date);
                shapes.push(makeShape("rect", {
                    class: "heat-day", "data-level": level, "data-date": date, width: CELL, height: CELL, rx: GAP,
                    x: Math.floor(place / DAYS) * (CELL + GAP), y: (place % DAYS) * (CELL + GAP),
                }, makeShape("title", {}, said)));
            }
            const weeks = Math.ceil(shapes.length / DAYS);
            svg.setAttribute("viewBox", `0 0 ${weeks * (CELL + GAP)} ${DAYS * (CELL + GAP)}`);
            svg.setAttribute("aria-label", `${label}: ${words}`);
            svg.replaceChildren(...shapes);
        },
    };
}
