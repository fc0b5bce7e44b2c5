import { make, makeLink, makeRow, makeSection, makeTable, setCell, setName, setText, showList } from "../kit/element.js";
import { makeChart } from "../kit/chart.js";
import { makeButton } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { makeRing } from "../kit/ring.js";
import { NONE, addDays, addMonths, hours, mondayOf, number, t } from "../words/words.js";
import { makeActivityDone } from "./activity-done.js";
import { distanceWords, energyWords } from "./activity-words.js";

const RANGES = ["day", "week", "month"];
/** News of a day that lasts are looked for so often, in milliseconds. */
const NEWS_MS = 60_000;
/** The columns of the table, each with the part that people share or not. */
const COLUMNS = [["time", null], ["steps", "steps"], ["distance", "distance"], ["energy", "energy"],
    ["moving", "moving"]];
/** The parts that a week and a month have, too. */
const SUMMED = COLUMNS.map(([, item]) => item).filter(Boolean);

/**
 * What somebody walked: a day by hours with a ring, a week by days, a month by weeks, each with a table; and what they
 * did. Of somebody else only what they share: `items` of the answer.
 *
 * @param {(query: string) => string | null | Promise<string | null>} pathOf What to ask for a range and a date; null:
 *     nobody is chosen, or they share nothing.
 * @param {{ userOf?: () => string, more?: Element[], instead?: object, weightAt?: () => string }} options `userOf`:
 *     whose it is, where things are begun here. `instead`: what is in the place of the steps while it `isShown`; it is
 *     told today's total. `weightAt`: where the weight is set that an estimate lacks.
 */
export function makeActivityDays(tools, pathOf, {
    userOf = null, more = [], instead = null, weightAt = null,
} = {}) {
    const { api, time, clock } = tools;
    const ring = makeRing();
    const figures = make("dl", "figures");
    const buttons = RANGES.map((range) => {
        const button = makeButton(t(`activity.${range}`), () => choose({ range }), "quiet");
        button.dataset.range = range;
        return button;
    });
    const before = makeButton("‹", () => choose({ date: moved(-1) }), "quiet");
    before.setAttribute("aria-label", t("activity.before"));
    const after = makeButton("›", () => choose({ date: moved(1) }), "quiet");
    after.setAttribute("aria-label", t("activity.after"));
    const title = make("strong", "activity-date");
    title.setAttribute("role", "status");
    const chart = makeChart(t("activity.steps"), "bar");
    const columns = COLUMNS.map(([name]) => t(`activity.column.${name}`));
    const table = makeTable(t("activity.steps"), columns, t("activity.none"));
    const words = make("details", "", make("summary", "", t("history.as-table")), table.box);
    const source = make("p", "detail");
    const dayOnly = make("p", "detail", t("activity.day-only"));
    const done = makeActivityDone(tools, userOf, () => part.load());
    const walked = makeSection(t("activity.walked"), make("div", "panel activity-day",
        make("div", "buttons", ...buttons), make("div", "buttons", before, title, after),
        make("div", "activity-now", ring.element, figures), source, dayOnly, chart.element, words, ...more));
    const element = make("div", "own-part", walked, done.element);
    let shown = { range: "day", date: null };
    const part = makePart(async () => {
        const asked = shown;
        const today = time.date(clock.now());
        try {
            const path = await pathOf(`range=${asked.range}&date=${asked.date ?? today}`);
            const told = path === null ? null : await api.get(path);
            // Meanwhile something else was chosen: that is asked for next.
            if (asked !== shown) return;
            if (told !== null) draw(told, today);
            element.hidden = told === null;
        } catch (error) {
            // What somebody may not see any more does not stay.
            if ([403, 404].includes(error.status)) element.hidden = true;
            throw error;
        }
    });
    element.hidden = true;

    /** The day, week or month before or after the one that is shown. */
    function moved(by) {
        const date = shown.date ?? time.date(clock.now());
        if (shown.range === "day") return addDays(date, by);
        return shown.range === "week" ? addDays(date, 7 * by) : `${addMonths(date.slice(0, 7), by)}-01`;
    }

    function choose(news) {
        shown = { ...shown, ...news };
        part.load();
    }

    function draw(told, today) {
        const { range, date, buckets, total, goal, reached, units, heart_rate: heart } = told;
        const isTold = (item) => told.items?.includes(item) ?? true;
        done.draw(told, date === today);
        walked.hidden = instead?.isShown ?? false;
        if (walked.hidden) {
            instead.tell(range === "day" && date === today ? total : null);
            return;
        }
        for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.range === range));
        after.disabled = (range === "day" ? date : range === "week" ? addDays(mondayOf(date), 6) :
            addDays(`${addMonths(date.slice(0, 7), 1)}-01`, -1)) >= today;
        setText(title, range === "day" ? date === today ? t("activity.today") : time.longDay(date) :
            range === "week" ? t("activity.week-of", { date: time.longDay(mondayOf(date)) }) :
            time.longMonth(date.slice(0, 7)));
        ring.element.hidden = !isTold("steps");
        const isGoal = range === "day" && goal !== null;
        ring.draw(isGoal ? total.steps / goal : 0, number(total.steps ?? 0), isGoal ?
            t(reached ? "activity.reached" : "activity.of-goal", { goal }) : t("activity.steps-short"));
        const isEnergyKnown = total.kcal !== null;
        figures.replaceChildren(...[
            isTold("distance") && ["activity.column.distance",
                total.distance_m === null ? NONE : distanceWords(total.distance_m, units)],
            isTold("moving") && ["activity.column.moving", t("activity.hours", { time: hours(total.moving_s) })],
            isTold("energy") && isEnergyKnown && energyWords(total.kcal) !== null &&
                ["activity.column.energy", energyWords(total.kcal)],
            // Whoever looks at what is shared cannot set the weight that is missing.
            isTold("energy") && !isEnergyKnown && ["activity.column.energy",
                weightAt === null ? NONE : makeLink(weightAt(), t("activity.enter-weight"))],
            total.between_m > 0 && ["activity.between", distanceWords(total.between_m, units)],
            heart !== null && ["activity.heart", t("activity.heart-rate", { mean: number(Math.round(heart.mean)) }),
                make("span", "check", t("activity.heart-range",
                    { least: number(heart.least), most: number(heart.most) }))],
        ].filter(Boolean).map(([word, ...parts]) => make("div", "", make("dt", "", t(word)), make("dd", "", ...parts))));
        const isCounted = range === "day" && total.source !== null;
        setText(source, [
            isCounted && t("activity.counted-by", { source: total.source }),
            told.items === undefined ? isCounted && t("activity.estimates") :
                isTold("distance") && total.distance_m !== null && t("activity.estimated-distance"),
        ].filter(Boolean).join(" "));
        source.hidden = source.textContent === "";
        const label = (bucket) => {
            const first = time.date(bucket.from_ms);
            return range === "day" ? time.clock(bucket.from_ms) :
                range === "week" ? time.shortDay(first) : time.longDay(first);
        };
        const isSummed = SUMMED.some(isTold);
        words.hidden = !isSummed;
        dayOnly.hidden = isSummed || range === "day";
        // Of nothing there is no picture: its axis would end at 1.
        chart.element.hidden = !isTold("steps") || buckets.every(({ steps }) => steps === 0);
        if (!chart.element.hidden) {
            const values = buckets.map(({ steps }) => steps);
            chart.draw(buckets.map(label), [{ label: t("activity.steps"), values }, ...(range === "day" || goal === null ? [] :
                [{ label: t("activity.goal-line"), values: values.map(() => goal), isTarget: true }])]);
        }
        showList(table.rows, buckets, (one) => String(one.from_ms), () => makeRow(columns), (row, one) => {
            const [when, ...cells] = row.children;
            setName(when, label(one));
            const texts = [
                isTold("steps") && number(one.steps), one.distance_m !== null && distanceWords(one.distance_m, units),
                isTold("energy") && energyWords(one.kcal),
                isTold("moving") && hours(one.moving_s),
            ];
            cells.forEach((cell, index) => setCell(cell, texts[index] || null));
        });
    }

    return {
        /** Empty until something is known. */
        element: make("div", "", part.element, element),
        load: part.load,
        /** Takes away what is shown: somebody else is chosen. */
        clear() {
            element.hidden = true;
            shown = { ...shown };
            done.clear();
        },
    };
}

/**
 * Loads what depends on the day: at first, when another day begins, and for what is new in it.
 *
 * @param {() => void} load
 * @param {() => number | null} soonAfter After so many milliseconds, where news are waited for.
 * @returns {(now: number) => void} To be called whenever the page is drawn.
 */
export function makeRenewal({ time }, load, soonAfter = () => null) {
    let heard = null;
    let loadedAt = -Infinity;
    return (now) => {
        const today = time.date(now);
        const isEarly = performance.now() - loadedAt < (soonAfter() ?? NEWS_MS);
        if (today === heard && (isEarly || document.hidden)) return;
        heard = today;
        loadedAt = performance.now();
        load();
    };
}
