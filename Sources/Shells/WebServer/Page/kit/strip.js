import { make, makeShape } from "./element.js";

/** How high a strip is, and each of its rows, in units of its drawing. */
const ROWS = {
    outage: [0, 20], use: [4, 12], shift: [0, 3], session: [4, 10], unknown: [4, 10], workout: [15, 4],
    room: [4, 10], station: [15, 4],
};
const HEIGHT = 20;
const WIDTH = 1000;
const HOUR_MS = 3_600_000;

/**
 * A day as a strip: what was when, from left to right. Each part has a shape of its own, so that nobody depends on
 * colours; its words are its title, and a list says the same to who cannot see it.
 *
 * @param {string} label What it is a picture of.
 */
export function makeStrip(label) {
    const svg = makeShape("svg", {
        class: "strip", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
        "aria-label": label,
    });
    const scale = make("div", "strip-scale");
    scale.setAttribute("aria-hidden", "true");
    let drawn = "";
    return {
        element: make("div", "strip-box", svg, scale),
        /**
         * @param {{ from: number, to: number, now: number | null, hours?: string[], parts: object[] }} day Moments in
         *     Unix milliseconds; parts `{ from, to, kind, label, tone }`, where `to` is `null` for what goes on and
         *     `tone` tells neighbours of one kind apart; `hours` are the words below, evenly spread.
         */
        draw({ from, to, now, hours = [], parts }) {
            // What goes on grows by a width that can be seen twice a minute.
            const growth = parts.some((one) => one.to === null) ? Math.floor((now ?? 0) / 30_000) : 0;
            const key = JSON.stringify([from, to, hours, parts, growth]);
            if (key === drawn) return;
            drawn = key;
            const x = (moment) => Math.min(WIDTH, Math.max(0, (moment - from) / (to - from) * WIDTH));
            const shapes = [];
            for (let hour = from + HOUR_MS; hour < to; hour += HOUR_MS) {
                shapes.push(makeShape("line", { class: "hour", x1: x(hour), x2: x(hour), y1: 0, y2: HEIGHT }));
            }
            for (const part of parts) {
                const [top, height] = ROWS[part.kind];
                const [start, end] = [x(part.from), x(part.to ?? now ?? part.from)];
                shapes.push(makeShape("rect", {
                    class: `part part-${part.kind}`, "data-tone": part.tone ?? 0, x: start, y: top,
                    // What was short is still seen.
                    width: Math.max(2, end - start), height,
                }, makeShape("title", {}, part.label ?? "")));
            }
            if (now !== null && now > from && now < to) {
                shapes.push(makeShape("line", { class: "now", x1: x(now), x2: x(now), y1: 0, y2: HEIGHT }));
            }
            svg.replaceChildren(...shapes);
            svg.setAttribute("aria-label",
                [label, ...parts.map((part) => part.label).filter(Boolean)].join("; "));
            scale.replaceChildren(...hours.map((word) => make("span", "", word)));
        },
    };
}
