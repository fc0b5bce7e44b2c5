import { make, makeLink, setSentence, setText } from "../kit/element.js";
import { has, t } from "../words/words.js";
import { netTime, totalWords } from "./training.js";

/** A workout as a line of a list, which leads to all of it. */
export function makeWorkoutLine() {
    const link = makeLink("#", make("strong", "when"));
    return make("li", "", make("div", "words", link, make("span", "detail"), make("span", "where")));
}

/** Draws it. `withName`: also whose it is. */
export function drawWorkoutLine(item, line, { site, time }, now, withName = false) {
    const [link, totals, where] = item.firstElementChild.children;
    const address = `/history/${line.id}`;
    if (link.getAttribute("href") !== address) link.href = address;
    const date = time.longDay(time.date(line.started_ms));
    setSentence(link.firstElementChild, [...(withName ? [{ name: site.nameOf("users", line.user) }, " · "] : []),
        `${date}, ${time.clock(line.started_ms)}`, ...(line.title ? [" · ", { name: line.title }] : [])]);
    setText(totals, [...(line.state === "completed" ? [] : [stateWords(line.state)]),
        totalWords(netTime(line, now), line.sets.length, line.volume_kg)].join(" · "));
    const places = [...new Set(line.stations.map(({ station }) => station))];
    setSentence(where, places.flatMap((id, index) =>
        [...(index > 0 ? [", "] : []), { name: site.nameOf("stations", id) }]));
}

/** What the state of a workout is called. */
export function stateWords(state) {
    return has(`history.state.${state}`) ? t(`history.state.${state}`) : state;
}
