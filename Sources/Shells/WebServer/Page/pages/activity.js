import {
    make, makeLink, makeRow, makeSection, makeTable, setCell, setName, setText, showList,
} from "../kit/element.js";
import { makeChart } from "../kit/chart.js";
import { makeButton } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { makeRing } from "../kit/ring.js";
import { addDays, addMonths, hours, mondayOf, number, t } from "../words/words.js";
import { makeActivityDone } from "./activity-done.js";
import { makeActivitySettings } from "./activity-settings.js";
import { distanceWords, energyWords } from "./activity-words.js";
import { makeWhose, of } from "./whose.js";

const RANGES = ["day", "week", "month"];
/** News of a day that lasts are looked for so often, in milliseconds. */
const NEWS_MS = 60_000;

/** Steps, distance and energy: today as a ring, a day by hours, a week by days, a month by weeks; and what one sets. */
export default function activity(main, tools) {
    const { session, api, time, clock } = tools;
    const whose = makeWhose(tools, () => choose({}), "activity.read");
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
    const columns = ["time", "steps", "distance", "energy", "moving"].map((name) => t(`activity.column.${name}`));
    const table = makeTable(t("activity.steps"), columns, t("activity.none"));
    const words = make("details", "", make("summary", "", t("history.as-table")), table.box);
    const source = make("p", "detail");
    const csv = makeLink("#", t("activity.csv"));
    csv.className = "button";
    csv.download = "";
    const nobody = make("p", "panel", t("history.choose"));
    const done = makeActivityDone(tools, () => whose.user, () => part.load());
    const settings = makeActivitySettings(tools, () => whose.user, () => part.load());
    const all = make("div", "", makeSection(t("activity.walked"), make("div", "panel activity-day",
        make("div", "buttons", ...buttons), make("div", "buttons", before, title, after),
        make("div", "activity-now", ring.element, figures), source, chart.element, words, csv)),
    done.element, ...settings.sections);
    let shown = { range: "day", date: null };
    let loadedAt = -Infinity;
    const part = makePart(async () => {
        const { user } = whose;
        if (user === "") return;
        const today = time.date(clock.now());
        const { range, date } = { ...shown, date: shown.date ?? today };
        const told = await api.get(of(`/api/v1/activity?range=${range}&date=${date}`, user));
        if (user !== whose.user || range !== shown.range || date !== (shown.date ?? today)) return;
        drawTold(told, today);
        all.hidden = false;
    });
    all.hidden = true;
    nobody.hidden = true;
    main.append(whose.element, nobody, part.element, all);

    /** The day, week or month before or after the one that is shown. */
    function moved(by) {
        const date = shown.date ?? time.date(clock.now());
        if (shown.range === "day") return addDays(date, by);
        return shown.range === "week" ? addDays(date, 7 * by) : `${addMonths(date.slice(0, 7), by)}-01`;
    }

    function choose(news) {
        shown = { ...shown, ...news };
        load();
    }

    function load() {
        loadedAt = performance.now();
        const isNobody = whose.user === "";
        nobody.hidden = !isNobody;
        all.hidden ||= isNobody;
        part.load();
    }

    function drawTold(told, today) {
        const { range, date, buckets, total, goal, reached, units, heart_rate: heart } = told;
        for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.range === range));
        after.disabled = (range === "day" ? date : range === "week" ? addDays(mondayOf(date), 6) :
            addDays(`${addMonths(date.slice(0, 7), 1)}-01`, -1)) >= today;
        setText(title, range === "day" ? date === today ? t("activity.today") : time.longDay(date) :
            range === "week" ? t("activity.week-of", { date: time.longDay(mondayOf(date)) }) :
            time.longMonth(date.slice(0, 7)));
        const isGoal = range === "day" && goal !== null;
        ring.draw(isGoal ? total.steps / goal : 0, number(total.steps), isGoal ?
            t(reached ? "activity.reached" : "activity.of-goal", { goal }) : t("activity.steps-short"));
        figures.replaceChildren(...[
            ["activity.column.distance", distanceWords(total.distance_m, units)],
            ["activity.column.energy", energyWords(total.kcal)],
            ["activity.column.moving", t("activity.hours", { time: hours(total.moving_s) })],
            ...total.between_m === 0 ? [] : [["activity.between", distanceWords(total.between_m, units)]],
            ...heart === null ? [] : [["activity.heart", t("activity.heart-rate", {
                least: number(heart.least), mean: number(Math.round(heart.mean)), most: number(heart.most),
            })]],
        ].map(([word, text]) => make("div", "", make("dt", "", t(word)), make("dd", "", text))));
        done.draw(told, date === today);
        source.hidden = range !== "day" || total.source === null;
        setText(source, source.hidden ? "" : t("activity.counted-by", { source: total.source }));
        const label = (bucket) => {
            const first = time.date(bucket.from_ms);
            return range === "day" ? time.clock(bucket.from_ms) :
                range === "week" ? time.shortDay(first) : time.longDay(first);
        };
        chart.draw(buckets.map(label), [{ label: t("activity.steps"), values: buckets.map(({ steps }) => steps) }]);
        showList(table.rows, buckets, (one) => String(one.from_ms), () => makeRow(columns), (row, one) => {
            const [when, steps, distance, energy, moving] = row.children;
            setName(when, label(one));
            setCell(steps, number(one.steps));
            setCell(distance, distanceWords(one.distance_m, units));
            setCell(energy, energyWords(one.kcal));
            setCell(moving, hours(one.moving_s));
        });
    }

    let heard = null;
    return {
        draw(now) {
            whose.draw();
            csv.href = of("/api/v1/activity/export", whose.user);
            const news = JSON.stringify([whose.user, time.date(now)]);
            if (news !== heard) {
                heard = news;
                settings.load();
                load();
            } else if (performance.now() - loadedAt >= NEWS_MS && !document.hidden) {
                load();
            }
        },
    };
}
