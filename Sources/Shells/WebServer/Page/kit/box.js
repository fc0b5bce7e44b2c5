import { Refusal } from "../data/api.js";
import { t } from "../words/words.js";
import { makeCode } from "./code.js";
import { make, setSentence, setText } from "./element.js";
import { closeButton, makeButton, makeForm, openDialog } from "./form.js";

/** Boxes over the page: with a form, and with what is shown once. */

/** Puts fields of a form that stand together under one legend. Returns the group. */
export function group(form, legend, names) {
    const rows = names.map((name) => form.field(name).closest(".field"));
    const box = make("fieldset", "", make("legend", "", legend));
    rows[0].before(box);
    box.append(...rows);
    return box;
}

/** An element with a sentence, in which names keep their direction to themselves. */
export function say(tag, parts, className = "") {
    const element = make(tag, className);
    setSentence(element, parts);
    return element;
}

/**
 * A form in a box over the page, which says what follows. The box closes when it was sent, unless `send` returns true.
 *
 * @param {string | object[]} title A text, or the parts of a sentence.
 * @param {string | object[]} lead What follows.
 * @returns {HTMLFormElement}
 */
export function openForm(title, lead, { fields = [], go, send, check, explain }) {
    const form = makeForm({
        fields, go, check, explain, cancel: () => dialog.close(),
        send: async (values, key) => {
            if (await send(values, key, dialog) !== true) dialog.close();
        },
    });
    const dialog = openDialog(say("span", [title].flat()), say("p", [lead].flat()), form);
    return form;
}

/** Shows a secret in the place of the form that asked for it. */
export function showSecret(dialog, title, lead, ...children) {
    const head = say("h2", title);
    head.id = dialog.getAttribute("aria-labelledby");
    dialog.replaceChildren(head, make("p", "", lead), ...children,
        make("div", "buttons", closeButton(t("form.have-it"))));
}

/** A secret that is shown once, with a button that copies it. */
export function makeSecret(text, label) {
    const input = make("input", "secret");
    input.readOnly = true;
    input.value = text;
    input.setAttribute("aria-label", label);
    const said = make("span", "detail");
    said.setAttribute("role", "status");
    const copy = makeButton(t("form.copy"), async () => {
        try {
            await navigator.clipboard.writeText(text);
            setText(said, t("form.copied"));
        } catch {
            // Without TLS a browser lets no page write there.
            input.focus();
            input.select();
            setText(said, t("form.selected"));
        }
    }, "go");
    return make("div", "secret-box", input, make("div", "buttons", copy, said));
}

/** Shows an address that is known only now in the place of the form that asked for it: to copy, and for a phone. */
export async function showLink(dialog, api, { title, lead, link, label }) {
    const code = make("div");
    showSecret(dialog, title, lead, makeSecret(link, label), code);
    try {
        code.append(await makeCode(api, link, t("form.code")));
    } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        code.append(make("p", "detail", t("form.no-code")));
    }
}
