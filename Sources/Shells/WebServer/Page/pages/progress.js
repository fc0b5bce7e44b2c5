import { make, makeTable, makeRow, setCell, setName, showList } from "../kit/element.js";
import { makeChart } from "../kit/chart.js";
import { fillChoice } from "../kit/form.js";
import { compare, kilograms, number, t } from "../words/words.js";
import { estimateWords } from "./training.js";

/** What of an exercise is shown week by week: the member of the answer, and one beside it of low confidence. */
const MEASURES = { weight: ["weight_kg"], volume: ["volume_kg"], e1rm: ["e1rm_kg", "e1rm_low_kg"], sets: ["sets"] };

/** The weeks of an exercise as a curve and as a table. */
export function makeProgress(nameOf) {
    const exercise = choice("progress-exercise", t("workout.exercise"), () => draw());
    const measure = choice("progress-measure", t("history.shown"), () => draw());
    fillChoice(measure.input, Object.keys(MEASURES).map((name) => [name, t(`history.measure.${name}`)]));
    const chart = makeChart(t("history.progress"));
    const columns = ["week", "sets", "weight", "volume", "e1rm"].map((name) => t(`history.column.${name}`));
    const table = makeTable(t("history.progress"), columns, t("history.none"));
    const words = make("details", "", make("summary", "", t("history.as-table")), table.box);
    const empty = make("p", "empty-list", t("history.no-sets"));
    const box = make("div", "", make("div", "filter", exercise.element, measure.element), chart.element,
        make("p", "detail", t("history.low")), words);
    let weeks = [];

    function draw() {
        const mine = weeks.filter((one) => one.exercise === exercise.input.value);
        const [main, low] = MEASURES[measure.input.value];
        const series = [{ label: t(`history.measure.${measure.input.value}`), values: mine.map((one) => one[main]) }];
        if (low !== undefined && mine.some((one) => one[low] !== null)) {
            series.push({ label: t("history.low-name"), values: mine.map((one) => one[low]), isFaint: true });
        }
        chart.draw(mine.map(({ week }) => week), series);
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

function choice(id, label, changed) {
    const input = make("select");
    input.id = id;
    input.addEventListener("change", changed);
    const title = make("label", "", label);
    title.htmlFor = id;
    return { element: make("div", "field", title, input), input };
}
