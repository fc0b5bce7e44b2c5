import { openForm } from "../kit/box.js";
import { make, setData, setSentence, setText, showList } from "../kit/element.js";
import { makeButton, openDialog, refusalWords } from "../kit/form.js";
import { t } from "../words/words.js";
import { makeSetForm } from "./set-form.js";
import { recordWords, setDetails, setWords } from "./training.js";

/**
 * Sets as a list, the newest first, each to be corrected or taken away where the server or this machine keeps it.
 *
 * @param {{ exercise: (id: string) => object | undefined, name: (id: string) => string,
 *     change: (line: object, set: object) => Promise<void>, remove: (line: object) => Promise<void>,
 *     again: (line: object) => void }} acts What is done with a line `{ set, number, records, fault, isWaiting }`.
 */
export function makeSetList(time, acts) {
    const list = make("ol", "set-list");
    list.reversed = true;
    list.setAttribute("aria-label", t("workout.sets"));
    const none = make("p", "empty-list", t("workout.no-sets"));
    return {
        children: [list, none],
        draw(lines, now, isWhole = true) {
            none.hidden = lines.length > 0 || !isWhole;
            showList(list, lines, ({ set }) => set.id, () => makeLine(acts), (item, line) => {
                item.line = line;
                drawLine(item, line, time, acts, now);
            });
        },
    };
}

function makeLine(acts) {
    const item = make("li", "set-line");
    const words = make("div", "words", make("strong", "what"), make("span", "exercise"), make("span", "detail"),
        make("span", "record"), make("p", "fault"));
    const open = makeButton(t("workout.correct"), () => openSet(item.line, acts), "quiet");
    const again = makeButton(t("workout.send-again"), () => acts.again(item.line), "quiet");
    item.append(words, make("div", "buttons", again, open));
    return item;
}

function drawLine(item, { set, number, records, fault, isWaiting }, time, acts, now) {
    const [what, exercise, detail, record, wrong] = item.firstElementChild.children;
    setData(item, { set: set.id, state: fault !== null ? "refused" : isWaiting ? "waiting" : "stored" });
    setText(what, setWords(set));
    setSentence(exercise, [{ name: acts.name(set.exercise) }, ` · ${t("workout.set-number", { n: number })}`]);
    setSentence(detail, [[time.short(set.at_ms, now), ...setDetails(set),
        isWaiting && fault === null ? t("workout.waits") : ""].filter(Boolean).join(" · ")]);
    record.hidden = records.length === 0;
    setText(record, records.length === 0 ? "" : `★ ${recordWords(records)}`);
    wrong.hidden = fault === null;
    setText(wrong, fault === null ? "" : t("workout.refused", { why: refusalWords(fault).filter(Boolean).join(" ") }));
    const [again, open] = item.lastElementChild.children;
    again.hidden = fault === null;
    // Of an exercise that nobody knows there are no fields.
    const word = t(acts.exercise(set.exercise) === undefined ? "workout.delete" : "workout.correct");
    setText(open, word);
    open.setAttribute("aria-label", `${word}: ${setWords(set)}`);
}

/** A set in a box over the page, to be corrected or taken away. */
function openSet(line, acts) {
    if (acts.exercise(line.set.exercise) === undefined) {
        askToDelete(line, acts);
        return;
    }
    const form = makeSetForm(t("workout.keep"), async (set) => {
        await acts.change(line, set);
        dialog.close();
    });
    form.show(acts.exercise(line.set.exercise), line.set);
    const remove = makeButton(t("workout.delete"), () => {
        dialog.close();
        askToDelete(line, acts);
    }, "quiet");
    const stop = makeButton(t("form.cancel"), () => dialog.close(), "quiet");
    form.element.querySelector(".buttons:last-child").append(remove, stop);
    const dialog = openDialog(make("bdi", "", acts.name(line.set.exercise)), form.element);
}

function askToDelete(line, acts) {
    openForm(t("workout.delete-title"), setWords(line.set), {
        go: t("workout.delete"), send: () => acts.remove(line),
    });
}
