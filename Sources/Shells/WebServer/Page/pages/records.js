import { make, makeLink, makeRow, makeSection, makeTable, setCell, setName, showList } from "../kit/element.js";
import { makePart } from "../kit/part.js";
import { compare, elapsed, kilograms, t } from "../words/words.js";
import { estimateWords, exerciseName, setWords } from "./training.js";
import { makeWhose, of } from "./whose.js";

const COLUMNS = ["exercise", "kind", "value", "when"];

/** The best that somebody has done of each exercise. */
export default function records(main, tools) {
    const { site, api, time } = tools;
    const whose = makeWhose(tools, () => reload());
    const columns = COLUMNS.map((name) => t(`records.column.${name}`));
    const table = makeTable(t("page.records"), columns, t("records.none"));
    const nobody = make("p", "panel", t("history.choose"));
    const back = makeLink("#", t("page.history"));
    let asked = null;
    const part = makePart(async () => {
        const { user } = whose;
        if (user === "") return;
        const [{ records: bests }, all] = await Promise.all([
            api.get(of("/api/v1/records", user)), api.all("/api/v1/exercises", "exercises"),
        ]);
        if (user !== whose.user) return;
        const names = new Map(all.map((one) => [one.id, exerciseName(one)]));
        const nameOf = (id) => names.get(id) ?? site.nameOf("exercises", id);
        // Of repetitions there is one at each weight: that of the heaviest says most.
        const shown = bests.filter((best, index) => best.kind !== "reps" ||
            bests[index + 1]?.kind !== "reps" || bests[index + 1].exercise !== best.exercise);
        const rows = shown.sort((a, b) => compare(nameOf(a.exercise), nameOf(b.exercise)));
        showList(table.rows, rows, ({ exercise, kind }) => `${exercise} ${kind}`, () => {
            const row = makeRow(columns);
            row.lastElementChild.append(makeLink("#"));
            return row;
        }, (row, best) => {
            const [exercise, kind, value, when] = row.children;
            setName(exercise, nameOf(best.exercise));
            setCell(kind, t(`training.record.${best.kind}`));
            setCell(value, valueWords(best));
            when.firstElementChild.href = `/history/${best.workout}`;
            when.firstElementChild.textContent = time.longDay(time.date(best.at_ms));
        });
        table.box.hidden = false;
    });
    const section = makeSection(t("records.best"), part.element, table.box, make("p", "detail", t("records.lead")));
    main.append(whose.element, nobody, section, back);

    function reload() {
        nobody.hidden = whose.user !== "";
        section.hidden = whose.user === "";
        // Nobody's records stand under another's name.
        table.box.hidden = true;
        back.href = of("/history", whose.user);
        part.load();
    }

    return {
        draw() {
            whose.draw();
            if (asked === whose.user) return;
            asked = whose.user;
            reload();
        },
    };
}

function valueWords(best) {
    switch (best.kind) {
    case "weight": return kilograms(best.weight_kg);
    case "e1rm": return t("records.estimated", { weight: estimateWords(best.e1rm_kg), set: setWords(best) });
    case "volume": return kilograms(best.volume_kg);
    case "duration": return elapsed(best.duration_s * 1000);
    default: return setWords(best);
    }
}
