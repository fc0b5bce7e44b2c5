import { make, makeLink, setSentence, setText } from "../kit/element.js";
import { has, hours, kilograms, t } from "../words/words.js";
import { netTime } from "./training.js";

/** A workout as two lines of a list, which lead to all of it. */
export function makeWorkoutLine() {
    const link = makeLink("#", make("span", "line-head", make("strong", "when"), make("span", "detail")),
        make("span", "what"));
    link.className = "workout-line";
    return make("li", "", link);
}

/** Draws it under the head of its month. `nameOf`: what an exercise is called. */
export function drawWorkoutLine(item, line, { site, time }, now, nameOf) {
    const link = item.firstElementChild;
    const [when, totals] = link.firstElementChild.children;
    const address = `/history/${line.id}`;
    if (link.getAttribute("href") !== address) link.href = address;
    setText(when, `${time.shortDay(time.date(line.started_ms))} · ${time.clock(line.started_ms)}`);
    setText(totals, [
        ...(line.state === "completed" ? [] : [stateWords(line.state)]), timeWords(netTime(line, now)),
        t("training.sets", { n: line.sets.length }), ...(line.volume_kg > 0 ? [volumeWords(line.volume_kg)] : []),
    ].join(" · "));
    const trained = [...new Set(line.sets.map(({ exercise }) => exercise))].map(nameOf);
    // Of a workout without sets one knows where it was.
    const places = [...new Set(line.stations.map(({ station }) => station))].map((id) => site.nameOf("stations", id));
    const names = trained.length > 0 ? trained : places;
    setSentence(link.lastElementChild, [...(line.title ? [{ name: line.title }, names.length > 0 ? ": " : ""] : []),
        ...names.flatMap((name, index) => [...(index > 0 ? [", "] : []), { name }])]);
}

/** How long a workout took: `0:59 h`. */
export function timeWords(milliseconds) {
    return `${hours(milliseconds / 1000)} h`;
}

/** How much was moved, to the kilogram. */
export function volumeWords(volume) {
    return kilograms(Math.round(volume));
}

/** What the state of a workout is called. */
export function stateWords(state) {
    return has(`history.state.${state}`) ? t(`history.state.${state}`) : state;
}
