import { make, makeLink, makeSection, setText, showList } from "../kit/element.js";
import { elapsed, number, t } from "../words/words.js";
import { netTime, recordWords, setWords } from "./training.js";

/** What a workout that has just ended was: its figures, its sets by exercise, and what of them are records. */
export function makeSummary(nameOf) {
    const values = ["time", "sets", "volume", "records"].map((name) => {
        const value = make("dd");
        return { name, value, box: make("div", "", make("dt", "", t(`summary.${name}`)), value) };
    });
    const figures = make("dl", "figures", ...values.map(({ box }) => box));
    const list = make("ul", "summary-list");
    const link = makeLink("#", t("summary.more"));
    link.className = "button";
    const element = makeSection(t("summary.title"), figures, list, link);
    element.id = "workout-summary";
    element.hidden = true;
    return {
        element,
        /** @param {object | null} line A workout that has ended with its sets, or `null`. */
        draw(line, now) {
            element.hidden = line === null || line.sets.length === 0;
            if (element.hidden) return;
            const records = line.sets.filter((set) => set.records?.length > 0);
            const told = {
                time: elapsed(netTime(line, now)), sets: String(line.sets.length), volume: `${number(line.volume_kg)} kg`,
                records: String(records.length),
            };
            for (const { name, value, box } of values) {
                setText(value, told[name]);
                box.hidden = name === "volume" && !(line.volume_kg > 0);
            }
            const exercises = [...new Set(line.sets.map(({ exercise }) => exercise))];
            showList(list, exercises, (exercise) => exercise, () => make("li", "", make("strong"), make("p"), make("p", "record")),
                (item, exercise) => {
                    const sets = line.sets.filter((set) => set.exercise === exercise);
                    const best = sets.flatMap((set) => set.records ?? []);
                    const [name, words, record] = item.children;
                    setText(name, nameOf(exercise));
                    setText(words, sets.map(setWords).join(" · "));
                    record.hidden = best.length === 0;
                    setText(record, best.length === 0 ? "" : `★ ${recordWords([...new Set(best)])}`);
                });
            const address = `/history/${line.id}`;
            if (link.getAttribute("href") !== address) link.href = address;
        },
    };
}
