import { makeLink } from "./element.js";
import { t } from "../words/words.js";

/**
 * The way to what an empty page lacks, hidden until it is; nothing for who may not go it.
 *
 * @param {string} right What is needed there.
 * @param {string} key The words of the link.
 * @returns {HTMLElement[]} At most one.
 */
export function makeNext(session, right, address, key) {
    if (!session.may(right)) return [];
    const link = makeLink(address, t(key));
    link.className = "button go next";
    link.hidden = true;
    return [link];
}

/** Shows the way, or not. */
export function showNext(links, isShown) {
    for (const link of links) link.hidden = !isShown;
}
