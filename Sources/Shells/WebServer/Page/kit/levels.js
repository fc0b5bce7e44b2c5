import { make, makeShape } from "./element.js";

/** In units of the drawing. */
const [WIDTH, HEIGHT] = [600, 180];
/** The levels at the top and at the bottom, in dBm, and from one line to the next. */
const [HIGH, LOW, STEP] = [-30, -100, 10];
/** So much is shown, in ms. */
export const SPAN_MS = 600_000;
/** So many curves can be told apart. */
export const CURVES = 4;
/** A gap that is longer is no line, in ms, where nothing else is said. */
const GAP_MS = 30_000;

/**
 * Levels of the last minutes or hours, a curve a node, with the level from which on a place is near. A list beside it has to say
 * which is which, for curves differ by colour and dashes, and for who cannot see them.
 *
 * @param {string} label What it is a picture of.
 */
export function makeLevels(label) {
    const svg = makeShape("svg", {
        class: "levels", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label,
    });
    const marks = [HIGH, (HIGH + LOW) / 2, LOW].map((level) => make("span", "", `${level}`.replace("-", "\u2212")));
    const scale = make("div", "levels-scale", ...marks);
    scale.setAttribute("aria-hidden", "true");
    const y = (level) => (HIGH - Math.min(HIGH, Math.max(LOW, level))) / (HIGH - LOW) * HEIGHT;
    return {
        element: make("div", "levels-box", scale, svg),
        /**
         * @param {{ samples: [number, number][], dots?: [number, number][] }[]} curves The moment and the level of each
         *     sample, oldest first; what is drawn as dots besides.
         * @param {number} now
         * @param {number | null} threshold
         * @param {{ span?: number, gap?: number }} times How much is shown, and which gap is no line, in ms.
         */
        draw(curves, now, threshold, { span = SPAN_MS, gap = GAP_MS } = {}) {
            const x = (moment) => (moment - now + span) / span * WIDTH;
            const shapes = [];
            for (let level = HIGH - STEP; level > LOW; level -= STEP) {
                shapes.push(makeShape("line", { class: "grid", x1: 0, x2: WIDTH, y1: y(level), y2: y(level) }));
            }
            if (threshold !== null) {
                shapes.push(makeShape("rect", { class: "threshold", x: 0, y: 0, width: WIDTH, height: y(threshold) }));
            }
            for (const [place, { samples, dots = [] }] of curves.entries()) {
                if (dots.length > 0) {
                    shapes.push(makeShape("path", { class: "dots", "data-place": place,
                        d: dots.map(([moment, level]) => `M${x(moment).toFixed(1)} ${y(level).toFixed(1)}h0`).join("") }));
                }
                let path = "";
                let before = -Infinity;
                for (const [moment, level] of samples) {
                    path += `${moment - before > gap ? "M" : "L"}${x(moment).toFixed(1)} ${y(level).toFixed(1)}h0`;
                    before = moment;
                }
                if (path !== "") shapes.push(makeShape("path", { class: "curve", "data-place": place, d: path }));
            }
            svg.replaceChildren(...shapes);
        },
    };
}
