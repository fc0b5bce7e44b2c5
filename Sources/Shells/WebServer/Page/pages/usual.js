import { make, makeSection, makeShape, setText } from "../kit/element.js";
import { t } from "../words/words.js";

/** So often it is asked for again, in milliseconds. */
const AGAIN_MS = 600_000;
const WIDTH = 480;
const HEIGHT = 60;

/** How many are in over the day, beside how many usually are on such a weekday. */
export function makeUsual({ api, time, drawSoon }) {
    const svg = makeShape("svg", {
        class: "usual-chart", viewBox: `0 0 ${WIDTH} ${HEIGHT + 2}`, preserveAspectRatio: "none", role: "img",
    });
    const words = make("p", "detail");
    const element = makeSection(t("live.day"), make("div", "panel", svg, words));
    element.hidden = true;
    let rows = [];
    let askedAt = -Infinity;

    async function load() {
        askedAt = performance.now();
        // Without it the page is the same, less this.
        const answer = await api.get("/api/v1/reports/usual-day.json").catch(() => null);
        if (answer === null) return;
        rows = answer.rows;
        drawSoon();
    }

    /** The row of the half hour that a moment is in. */
    const current = (now) => rows.findLast(({ at_ms: at }) => at <= now);
    const usualAt = (now) => Number.isFinite(current(now)?.usual) ? current(now).usual : null;

    return {
        element,
        /** `usual 14`, or nothing if that is not known. */
        words: (now) => usualAt(now) === null ? "" : t("live.usual", { number: usualAt(now) }),
        draw(now) {
            if (performance.now() - askedAt > AGAIN_MS) load();
            element.hidden = rows.length === 0 || rows.every(({ people, usual }) => !people && !usual);
            if (element.hidden) return;
            const most = Math.max(1, ...rows.flatMap(({ people, usual }) => [people ?? 0, usual ?? 0]));
            const x = (index) => index / rows.length * WIDTH;
            const y = (number) => HEIGHT - number / most * (HEIGHT - 4) + 1;
            const step = WIDTH / rows.length;
            const bars = rows.flatMap(({ people }, index) => people ? [makeShape("rect", {
                class: "today", x: x(index) + 1, width: step - 2, y: y(people), height: HEIGHT + 1 - y(people),
            })] : []);
            const line = rows.map(({ usual }, index) => {
                if (!Number.isFinite(usual)) return "";
                const begin = Number.isFinite(rows[index - 1]?.usual) ? "L" : "M";
                return `${begin}${x(index)} ${y(usual)}H${x(index + 1)}`;
            }).join("");
            svg.replaceChildren(...bars, makeShape("path", { class: "usual-line", d: line }));
            const top = rows.reduce((best, row) => (row.usual ?? 0) > (best.usual ?? 0) ? row : best, rows[0]);
            const said = t(top.usual ? "live.day-words" : "live.day-words-new", {
                most: top.usual ?? 0, time: time.clock(top.at_ms),
            });
            setText(words, said);
            svg.setAttribute("aria-label", said);
        },
    };
}
