import { make, makeLink, makeSection, setText, showList } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { makeHeat } from "../kit/heat.js";
import { makePart } from "../kit/part.js";
import { addDays, hours, mondayOf, t } from "../words/words.js";
import { makeProgress } from "./progress.js";
import { exerciseName } from "./training.js";
import { drawWorkoutLine, makeWorkoutLine } from "./workout-lines.js";
import { makeWhose, of } from "./whose.js";

/** The calendar shows so many weeks, the one under way included. */
const WEEKS = 53;
/** On a window narrower than so many pixels so many weeks: else nobody could see a day. */
const NARROW = 600;
const NARROW_WEEKS = 27;
/** Workouts that are asked for at a time. */
const PAGE = 10;
/** From how many minutes of training on a day has each shade. */
const SHADES = [1, 20, 45, 75];

/** What somebody has trained: every workout, the newest first, then their days and the progress of an exercise. */
export default function pastTraining(main, tools) {
    const { site, session, api, time, clock } = tools;
    const whose = makeWhose(tools, () => reload());
    const week = make("ol", "trained-week");
    week.setAttribute("aria-label", t("history.week"));
    const heat = makeHeat(t("history.calendar"));
    const sums = make("dl", "figures");
    let exercises = new Map();
    const nameOf = (id) => exercises.has(id) ? exerciseName(exercises.get(id)) : site.nameOf("exercises", id);
    const progress = makeProgress(nameOf);
    const list = make("div", "months-trained");
    list.id = "workouts";
    const none = make("p", "empty-list", t("history.none"));
    const begin = makeLink("/workout", t("workout.begin"));
    begin.className = "button go next";
    const more = makeButton(t("history.more"), () => morePart.load(), "quiet");
    const csv = makeLink("#", t("history.csv"));
    csv.className = "button";
    csv.download = "";
    const records = makeLink("#", t("page.records"));
    records.className = "button";
    const nobody = make("p", "panel", t("history.choose"));
    let lines = [];
    let next = null;
    let heard = "";
    let shown = null;
    const part = makePart(async () => {
        const { user } = whose;
        if (user === "") return;
        const today = time.date(clock.now());
        const from = addDays(mondayOf(today), (1 - WEEKS) * 7);
        const [stats, page, all] = await Promise.all([
            api.get(of(`/api/v1/workouts/stats?from=${from}&to=${today}`, user)),
            api.get(of(`/api/v1/workouts?limit=${PAGE}`, user)),
            api.all("/api/v1/exercises", "exercises"),
        ]);
        if (user !== whose.user) return;
        exercises = new Map(all.map((one) => [one.id, one]));
        lines = page.workouts;
        next = page.next;
        drawList();
        drawDays(stats.days, from, today);
        told.hidden = false;
        progress.show(stats.exercises);
    });
    const morePart = makePart(async () => {
        const [asked, user] = [next, whose.user];
        const page = await api.get(of(`/api/v1/workouts?limit=${PAGE}&cursor=${encodeURIComponent(asked)}`, user));
        // Somebody else is looked at by now, or the list was loaded anew.
        if (user !== whose.user || asked !== next) return;
        lines = [...lines, ...page.workouts];
        next = page.next;
        drawList();
    });
    morePart.element.hidden = true;
    const told = make("div", "training-past",
        makeSection(t("history.workouts"), make("div", "panel own", list, none, begin, more, morePart.element),
            make("div", "buttons", records, csv)),
        makeSection(t("history.calendar"), make("div", "panel", week, sums, heat.element)),
        makeSection(t("history.progress"), make("div", "panel", ...progress.children)));
    told.hidden = true;
    const all = make("div", "", part.element, told);
    main.append(whose.element, nobody, all);

    function drawDays(days, from, today) {
        const since = (first) => days.filter(({ date }) => date >= first);
        const byDate = new Map(days.map((day) => [day.date, day]));
        const words = (day) => day === undefined ? t("history.no-workout") :
            t("history.day", { n: day.workouts, minutes: Math.round(day.minutes) });
        drawWeek(today, (date) => byDate.has(date), (date) => words(byDate.get(date)));
        const first = window.innerWidth < NARROW ? addDays(mondayOf(today), (1 - NARROW_WEEKS) * 7) : from;
        heat.draw(first, today, (date) => {
            const day = byDate.get(date);
            return {
                level: day === undefined ? 0 : Math.max(1, SHADES.filter((least) => day.minutes >= least).length),
                words: `${time.longDay(date)}: ${words(day)}`,
            };
        }, t("history.days", { n: since(first).length }));
        const spans = [["history.weeks-4", addDays(today, -27)], ["history.year", addDays(today, -364)]];
        sums.replaceChildren(...spans.map(([key, begin]) => {
            const mine = since(begin);
            const workouts = mine.reduce((total, day) => total + day.workouts, 0);
            const minutes = mine.reduce((total, day) => total + day.minutes, 0);
            return make("div", "", make("dt", "", t(key)),
                make("dd", "", t("history.sum", { n: workouts, hours: hours(minutes * 60) })));
        }));
    }

    /** The days of the week under way, and on which of them there was training. */
    function drawWeek(today, isTrained, wordsOf) {
        const dates = [0, 1, 2, 3, 4, 5, 6].map((days) => addDays(mondayOf(today), days));
        week.replaceChildren(...dates.map((date) => {
            const mark = make("span", "day-mark", isTrained(date) ? "●" : "○");
            mark.setAttribute("aria-hidden", "true");
            const day = make("li", "", make("span", "detail", time.shortDay(date)), mark,
                make("span", "unseen", wordsOf(date)));
            if (date === today) day.setAttribute("aria-current", "date");
            return day;
        }));
    }

    function drawList() {
        const months = [];
        for (const line of lines) {
            const month = time.date(line.started_ms).slice(0, 7);
            if (months.at(-1)?.month !== month) months.push({ month, lines: [] });
            months.at(-1).lines.push(line);
        }
        showList(list, months, ({ month }) => month, () => make("div", "", make("h3"), make("ul", "visits")),
            (box, { month, lines: mine }) => {
                setText(box.firstElementChild, time.longMonth(month));
                showList(box.lastElementChild, mine, ({ id }) => String(id), makeWorkoutLine,
                    (item, line) => drawWorkoutLine(item, line, tools, clock.now(), nameOf));
            });
        none.hidden = lines.length > 0;
        begin.hidden = lines.length > 0 || whose.user !== session.user || !session.may("workouts.write", "own");
        more.hidden = next === null;
    }

    function reload() {
        nobody.hidden = whose.user !== "";
        // Whoever is looked at stays while news are fetched.
        if (shown !== whose.user) told.hidden = true;
        shown = whose.user;
        all.hidden = whose.user === "";
        csv.href = of("/api/v1/workouts/export", whose.user);
        records.href = of("/records", whose.user);
        part.load();
    }

    return {
        draw() {
            whose.draw();
            // A workout that begins or ends is another line.
            const workout = site.payload("user", whose.user, "workout");
            const news = JSON.stringify([whose.user, workout?.id, workout?.state]);
            if (news === heard) return;
            heard = news;
            reload();
        },
    };
}
