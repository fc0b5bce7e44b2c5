import { Refusal } from "../data/api.js";
import { t } from "../words/words.js";
import { make, setText } from "./element.js";
import { makeButton, refusalWords } from "./form.js";

/**
 * What a part of a page says while its rows are on their way, and when they did not come: why, and how to try again.
 *
 * @param {() => Promise<void>} fetchRows Throws a `Refusal`.
 * @returns {{ element: Element, load: () => Promise<void> }} `load` while one is under way loads once more after it.
 */
export function makePart(fetchRows) {
    const said = make("p", "detail", t("form.loading"));
    said.setAttribute("role", "status");
    const again = makeButton(t("form.again"), () => part.load(), "quiet");
    again.hidden = true;
    let isBusy = false;
    let isWanted = false;
    const part = {
        element: make("div", "loading", said, again),
        async load() {
            isWanted = true;
            if (isBusy) return;
            isBusy = true;
            try {
                while (isWanted) {
                    isWanted = false;
                    try {
                        await fetchRows();
                        part.element.hidden = true;
                    } catch (error) {
                        if (!(error instanceof Refusal)) throw error;
                        setText(said, refusalWords(error).filter(Boolean).join(" "));
                        said.className = "fault";
                        again.hidden = false;
                        part.element.hidden = false;
                    }
                }
            } finally {
                isBusy = false;
            }
        },
    };
    return part;
}
