import { make, makeTable, makeRow, setCell, setName, showList } from "../kit/element.js";
import { makeChart } from "../kit/chart.js";
import { fillChoice, makeChoice } from "../kit/form.js";
import { addDays, compare, kilograms, mondayOf, number, t } from "../words/words.js";
import { estimateWords } from "./training.js";

/** What of an exercise is shown week by week: the member of the answer, and one beside it of low confidence. */
const MEASURES = { weight: ["weight_kg"], volume: ["volume_kg"], e1rm: ["e1rm_kg", "e1rm_low_kg"], sets: ["sets"] };

/** The weeks of an exercise as a curve and as a table. */
export function makeProgress(nameOf) {
    const exercise = makeChoice("progress-exercise", t("workout.exercise"), () => draw());
    const measure = makeChoice("progress-measure", t("history.shown"), () => draw());
    fillChoice(measure.input, Object.keys(MEASURES).map((name) => [name, t(`history.measure.${name}`)]));
    const chart = makeChart(t("history.progress"));
    const columns = ["week", "sets", "weight", "volume", "e1rm"].map((name) => t(`history.column.${name}`));
    const table = makeTable(t("history.progress"), columns, t("history.none"));
    const words = make("details", "", make("summary", "", t("history.as-table")), table.box);
    const empty = make("p", "empty-list", t("history.no-sets"));
    const hint = make("p", "detail", t("history.low"));
    const box = make("div", "", make("div", "filter", exercise.element, measure.element), chart.element, hint, words);
    let weeks = [];

    function draw() {
        const mine = weeks.filter((one) => one.exercise === exercise.input.value);
        const [main, low] = MEASURES[measure.input.value];
        const places = everyWeek(mine);
        const values = places.map((one) => one[main]);
        const series = [{ label: t(`history.measure.${measure.input.value}`), values, marks: recordsOf(values) }];
        hint.hidden = low === undefined;
        if (low !== undefined && mine.some((one) => one[low] !== null)) {
            series.push({ label: t("history.low-name"), values: places.map((one) => one[low]), isFaint: true });
        }
        chart.draw(places.map(({ week }) => week), series);
        showList(table.rows, [...mine].reverse(), ({ week }) => week, () => makeRow(columns), (row, one) => {
            const [week, sets, weight, volume, e1rm] = row.children;
            setName(week, one.week);
            setCell(sets, number(one.sets));
            setCell(weight, one.weight_kg === null ? null : kilograms(one.weight_kg));
            setCell(volume, one.volume_kg > 0 ? kilograms(one.volume_kg) : null);
            setCell(e1rm, one.e1rm_kg !== null ? estimateWords(one.e1rm_kg) :
                one.e1rm_low_kg !== null ? estimateWords(one.e1rm_low_kg, true) : null);
        });
    }

    return {
        children: [box, empty],
        /** Takes the weeks as `GET /workouts/stats` tells them. */
        show(exercises) {
            weeks = exercises;
            const ids = [...new Set(exercises.map((one) => one.exercise))]
                .sort((a, b) => compare(nameOf(a), nameOf(b)));
            box.hidden = ids.length === 0;
            empty.hidden = ids.length > 0;
            fillChoice(exercise.input, ids.map((id) => [id, nameOf(id)]));
            if (ids.length > 0) draw();
        },
    };
}

/** The places where a value is more than all before it; the first is none. */
function recordsOf(values) {
    let best = null;
    return new Set(values.flatMap((value, index) => {
        if (typeof value !== "number" || value <= (best ?? -Infinity)) return [];
        const isFirst = best === null;
        best = value;
        return isFirst ? [] : [index];
    }));
}

/** The weeks from the first to the last, those without a set among them, so that a curve keeps its distances. */
function everyWeek(weeks) {
    const byMonday = new Map(weeks.map((one) => [mondayOfWeek(one.week), one]));
    const mondays = [...byMonday.keys()];
    const all = [];
    for (let monday = mondays[0]; monday <= mondays.at(-1); monday = addDays(monday, 7)) {
        all.push(byMonday.get(monday) ?? { week: "" });
    }
    return all;
}

/** The Monday of a week such as `2026-W13`. The fourth of January is in the first week of its year (ISO 8601). */
function mondayOfWeek(week) {
    return addDays(mondayOf(`${week.slice(0, 4)}-01-04`), (Number(week.slice(6)) - 1) * 7);
}
