import { Refusal } from "../data/api.js";
import { sentence, t } from "../words/words.js";
import { openForm } from "./box.js";
import { makeButton } from "./form.js";

/** Another name for a thing, where its name stands. */

/** The longest name, in characters. */
export const LONGEST_NAME = 120;

/**
 * A button that asks for another name of a thing. The pages hear of the new one by the stream of names; whoever was
 * quicker is shown, not overwritten.
 *
 * @param {Api} api
 * @param {() => { address: string, name: string, member?: string }} find What the button is about
 *     when it is touched: the address of its row, its name as it is shown, and in which member of the row that stands.
 */
export function makeRename(api, find) {
    return makeButton(t("rename.short"), () => open(api, find()), "ask");
}

/** Names a button of `makeRename` after what it changes. */
export function nameRename(button, name) {
    const label = t("rename.of", { name });
    if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
}

function open(api, { address, name, member = "name" }) {
    let known = name;
    openForm(sentence("rename.title", { name: { name } }), t("rename.lead"), {
        go: t("rename.go"),
        fields: [{ name: "name", label: t("rename.name"), value: name, isNeeded: true, most: LONGEST_NAME }],
        send: async ({ name: wanted }) => {
            const { data, etag } = await api.ask("GET", address);
            const before = data[member] ?? known;
            // The answer to the first try was lost.
            if (before === wanted) return;
            if (before !== known) {
                known = before;
                throw new Refusal("precondition_failed", t("rename.now", { name: before }), 412);
            }
            await api.ask("PATCH", address, { body: { [member]: wanted }, ifMatch: etag });
        },
    });
}
