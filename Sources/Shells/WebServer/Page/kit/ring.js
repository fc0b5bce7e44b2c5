import { make, makeShape, setText } from "./element.js";

/** The radius and the width of the ring, in units of the drawing. */
const RADIUS = 45;
const WIDTH = 9;
const LENGTH = 2 * Math.PI * RADIUS;

/** A ring that fills up to a goal, with a text in it. What it shows stands in the text, too. */
export function makeRing() {
    const around = makeShape("circle", { class: "ring-ground", cx: 50, cy: 50, r: RADIUS, "stroke-width": WIDTH });
    const filled = makeShape("circle", {
        class: "ring-part", cx: 50, cy: 50, r: RADIUS, "stroke-width": WIDTH, transform: "rotate(-90 50 50)",
    });
    const svg = makeShape("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, around, filled);
    const number = make("strong", "clock");
    const detail = make("span", "detail");
    return {
        element: make("div", "ring", svg, make("p", "words", number, detail)),
        /** @param {number} share Of the goal, from 0 on; more than 1 is a whole ring. */
        draw(share, text, words) {
            const part = Math.min(1, Math.max(0, share));
            filled.setAttribute("stroke-dasharray", `${part * LENGTH} ${LENGTH}`);
            filled.toggleAttribute("hidden", part === 0);
            setText(number, text);
            setText(detail, words);
        },
    };
}
