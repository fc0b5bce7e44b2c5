import { Refusal, newKey } from "../data/api.js";
import { has, t } from "../words/words.js";
import { make } from "./element.js";

/**
 * Forms. Each says what is wrong before anything is sent and beside the field, keeps what was typed whatever happens,
 * and sends a thing that is sent twice with one key, so that it is done once.
 */

let count = 0;

/** The shortest new password, in characters. */
export const LEAST_PASSWORD = 10;

/** Whether anything was typed that is not saved. */
export function hasUnsaved() {
    return document.querySelector("form[data-dirty]") !== null;
}

/**
 * A form.
 *
 * A field is `{ name, label, kind, value, hint, isNeeded, least, most, rows, options, autocomplete, pattern }`; `kind` is
 * `text`, `password`, `number`, `date`, `time`, `month`, `lines`, `choice`, `many` (several of them) or `check`; `least` and `most` are those of
 * a number, a date, or the length of a text; `options` are `[value, text]`, also those offered for a `text`.
 *
 * @param {{ fields: object[], go: string, send: (values: object, key: string) => Promise<void>,
 *     check?: (values: object) => [string, string] | null,
 *     explain?: (refusal: Refusal, values: object) => { name?: string, text?: string, more?: Element[] } | null,
 *     cancel?: () => void, isOnly?: boolean, isFilter?: boolean }} form `send` throws a `Refusal`, of which `explain`
 *     may say more than its words do, or at a field; `check` returns the name of a field and what is wrong with it;
 *     `isOnly`: no other form is on the page, so that the names of its fields are their ids; `isFilter`: what is
 *     chosen is nothing that could be lost.
 * @returns {HTMLFormElement} With `fill(values)`, `refill(values)`, `startOver(values)`, `show(isShown)`,
 *     `tell(text)`, `isTyped(name)` and `field(name)`.
 */
export function makeForm({
    fields, go, send, check = () => null, explain = () => null, cancel, className = "", isOnly = false, isFilter = false,
}) {
    const id = isOnly ? "" : `form-${++count}-`;
    const fault = make("p", "fault");
    fault.id = `${id}fault`;
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const button = make("button", "go", go);
    button.type = "submit";
    button.id = `${id}go`;
    const buttons = make("div", "buttons", button);
    if (cancel) {
        const stop = make("button", "quiet", t("form.cancel"));
        stop.type = "button";
        stop.addEventListener("click", cancel);
        buttons.append(stop);
    }
    const inputs = new Map(fields.map((field) => [field.name, makeInput(field, id, fault.id)]));
    const form = make("form", `form ${className}`,
        ...fields.map((field) => inputs.get(field.name).row), fault, buttons);
    form.noValidate = true;
    // As long as nothing else is typed, it is the same thing that is sent.
    let key = newKey();
    let isSending = false;
    /** Names of fields whose typing is neither stored nor replaced, each with `sends` of that moment. */
    const typed = new Map();
    /** How often the form was sent, and how often it started over. */
    let sends = 0;
    let turns = 0;
    form.addEventListener("input", ({ target }) => {
        key = newKey();
        // Where a page filled in what was typed elsewhere, this is the form itself, whose name is empty.
        typed.set(target.name, sends);
        if (!isFilter) form.dataset.dirty = "true";
    });

    const tell = (text, name = null, detail = "", ...more) => {
        fault.replaceChildren(...(text === "" ? [] : [text]),
            ...(detail === "" ? [] : [make("small", "", detail)]), ...more);
        fault.hidden = text === "";
        for (const [one, { input }] of inputs) input.setAttribute("aria-invalid", String(one === name));
        if (name !== null) inputs.get(name)?.input.focus();
    };

    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (isSending) return;
        const values = Object.fromEntries([...inputs].map(([name, { read }]) => [name, read()]));
        const shown = fields.filter(({ name }) => !inputs.get(name).row.hidden);
        const wrong = shown.map((field) => flaw(field, values[field.name], inputs.get(field.name).input))
            .find((found) => found !== null) ?? check(values);
        tell("");
        if (wrong) {
            tell(wrong[1], wrong[0]);
            return;
        }
        isSending = true;
        button.disabled = true;
        form.setAttribute("aria-busy", "true");
        sends += 1;
        const turn = turns;
        try {
            await send(values, key);
            // What was typed meanwhile is not saved with it.
            for (const [name, before] of typed) if (before < sends) typed.delete(name);
            if (typed.size === 0) delete form.dataset.dirty;
            key = newKey();
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            const [text, detail] = refusalWords(error);
            if (turn !== turns) {
                tell(t("form.of-before", { why: text }), null, detail);
                return;
            }
            const known = explain(error, values);
            const named = [...inputs.keys()].find((name) => error.detail.startsWith(`${name}:`)) ?? null;
            if (known === null) tell(text, named, detail);
            else tell(known.text ?? text, known.name ?? named, "", ...(known.more ?? []));
            // What was refused for good is another thing when it is sent again.
            if (error.status >= 400 && error.status < 500) key = newKey();
        } finally {
            isSending = false;
            button.disabled = false;
            form.removeAttribute("aria-busy");
        }
    });
    form.fill = (values) => {
        for (const [name, value] of Object.entries(values)) inputs.get(name)?.write(value);
        typed.clear();
        delete form.dataset.dirty;
    };
    // For somebody else: nothing of what was typed, said or sent is about them.
    form.startOver = (values = {}) => {
        form.fill(values);
        tell("");
        key = newKey();
        turns += 1;
    };
    // Shown anew it is about something new: neither what was wrong before is, nor what was sent.
    form.show = (isShown) => {
        if (isShown && form.hidden) {
            tell("");
            key = newKey();
        }
        form.hidden = !isShown;
    };
    form.isTyped = (name) => typed.has(name);
    // What was typed and is not sent yet stays; what somebody left as it was follows what is stored.
    form.refill = (values) => {
        for (const [name, value] of Object.entries(values)) {
            const { input, write } = inputs.get(name);
            // Half a time is nothing yet to a browser, which tells nobody that it was typed.
            if (!typed.has(name) && !input.validity.badInput) write(value);
        }
    };
    form.field = (name) => inputs.get(name)?.input;
    form.tell = tell;
    return form;
}

/** Refusals of which the words of the page say all. */
const WHOLE = new Set(["out_of_order", "station_in_use"]);

/** A refusal in the words of the page, and the server's own for what these leave out. */
export function refusalWords(error) {
    const key = `code.${error.code}`;
    return has(key) ? [t(key), WHOLE.has(error.code) ? "" : error.detail] : [error.detail || error.code, ""];
}

function makeInput(field, id, faultId) {
    const { name, label, kind = "text", value, hint, options } = field;
    const input = make(kind === "choice" || kind === "many" ? "select" : kind === "lines" ? "textarea" : "input");
    input.id = `${id}${name}`;
    input.name = name;
    if (input.tagName === "INPUT") input.type = { check: "checkbox" }[kind] ?? kind;
    if (kind === "number") input.inputMode = "decimal";
    if (field.isNeeded) input.required = true;
    if (field.isFixed) input.readOnly = true;
    if (kind === "text" || kind === "password" || kind === "lines") {
        if (field.most) input.maxLength = field.most;
        if (field.least) input.minLength = field.least;
    } else if (field.least !== undefined || field.most !== undefined) {
        input.min = field.least ?? "";
        input.max = field.most ?? "";
    }
    if (kind === "number") input.step = field.step ?? "any";
    if (kind === "lines") input.rows = field.rows ?? 2;
    input.autocomplete = field.autocomplete ?? "off";
    if (field.isName) {
        input.autocapitalize = "none";
        input.spellcheck = false;
    }
    const row = make("div", `field field-${kind}`);
    const title = make("label", "", label);
    title.htmlFor = input.id;
    const described = [];
    if (kind === "check") {
        row.append(make("div", "tick", input, title));
    } else {
        row.append(title, input);
    }
    if (kind === "choice" || kind === "many") {
        input.append(...options.map(makeOption));
        input.multiple = kind === "many";
        if (kind === "many") input.size = Math.min(Math.max(options.length, 2), 6);
    } else if (options) {
        const list = make("datalist", "", ...options.map(makeOption));
        list.id = `${input.id}-list`;
        input.setAttribute("list", list.id);
        row.append(list);
    }
    if (hint) {
        const words = make("p", "detail", hint);
        words.id = `${input.id}-hint`;
        described.push(words.id);
        row.append(words);
    }
    input.setAttribute("aria-describedby", [...described, faultId].join(" "));
    // Several stand in an order: as they were, then as they were chosen.
    let order = [];
    const chosen = () => {
        const all = [...input.selectedOptions].map(({ value }) => value);
        order = [...order.filter((one) => all.includes(one)), ...all.filter((one) => !order.includes(one))];
        return order;
    };
    if (kind === "many") input.addEventListener("change", chosen);
    const write = (given) => {
        if (kind === "check") {
            input.checked = given === true;
        } else if (kind === "many") {
            order = [...given || []];
            for (const option of input.options) option.selected = (given || []).includes(option.value);
        } else {
            input.value = given ?? (kind === "choice" ? options[0]?.[0] : null) ?? "";
        }
    };
    write(value);
    const read = () => kind === "check" ? input.checked :
        kind === "many" ? chosen() :
        kind === "password" ? input.value : input.value.trim();
    return { row, input, read, write };
}

/** One of the options of a choice, from `[value, text]`. */
export function makeOption([value, text]) {
    const option = make("option", "", text);
    option.value = value;
    return option;
}

/**
 * A choice outside a form, whose options come by `fillChoice`.
 *
 * @param {string} id
 * @param {string} label
 * @param {() => void} changed
 */
export function makeChoice(id, label, changed) {
    const input = make("select");
    input.id = id;
    input.addEventListener("change", changed);
    const title = make("label", "", label);
    title.htmlFor = id;
    return { element: make("div", "field", title, input), input };
}

/** Gives a choice other options, `[value, text]`; what was chosen stays, where it is still among them. */
export function fillChoice(input, options) {
    const key = JSON.stringify(options);
    if (input.filled === key) return;
    input.filled = key;
    const { value } = input;
    input.replaceChildren(...options.map(makeOption));
    input.value = options.some(([one]) => one === value) ? value : options[0]?.[0] ?? "";
}

/** What is wrong with a value, with the field's name; `null` if nothing is. */
function flaw({ name, label, kind = "text", isNeeded, least, most }, value, input) {
    const wrong = (key, values = {}) => [name, t(key, { label, ...values })];
    if (kind === "check" || kind === "many") return null;
    // A browser gives an empty text for what it cannot read.
    if (input.validity.badInput) return wrong("form.unreadable");
    if (value === "") return isNeeded ? wrong("form.needed") : null;
    if (kind === "number") {
        const number = Number(value);
        if (!Number.isFinite(number)) return wrong("form.unreadable");
        if (least !== undefined && number < least) return wrong("form.too-small", { least });
        if (most !== undefined && number > most) return wrong("form.too-large", { most });
    } else if (kind === "text" || kind === "password" || kind === "lines") {
        const length = [...value].length;
        if (least !== undefined && length < least) return wrong("form.too-short", { least });
        if (most !== undefined && length > most) return wrong("form.too-long", { most });
    } else if (least !== undefined && value < least || most !== undefined && value > most) {
        return wrong("form.out-of-range", { least: least ?? "…", most: most ?? "…" });
    }
    return null;
}

/**
 * A box over the page. It is taken away when it is closed; Esc closes it, and the focus goes back.
 *
 * @returns {HTMLDialogElement}
 */
export function openDialog(title, ...children) {
    const head = make("h2", "", title);
    head.id = `dialog-${++count}`;
    const dialog = make("dialog", "", head, ...children);
    dialog.setAttribute("aria-labelledby", head.id);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/** A button that closes the box it is in. */
export function closeButton(text = t("form.close")) {
    const button = make("button", "quiet", text);
    button.type = "button";
    button.addEventListener("click", () => button.closest("dialog").close());
    return button;
}

/** A button. */
export function makeButton(text, act, className = "") {
    const button = make("button", className, text);
    button.type = "button";
    button.addEventListener("click", act);
    return button;
}

/**
 * A field for the day or month that a page is about. Whoever types goes there with Enter or by leaving the field: each
 * key may make another date; whoever picks from the calendar goes at once.
 *
 * @param {"date" | "month"} type
 * @param {(value: string) => void} go Called with another value that is whole.
 */
export function makeDayField(type, value, label, go) {
    const field = make("input", "day-field");
    field.type = type;
    field.value = value;
    field.setAttribute("aria-label", label);
    let isTyped = false;
    /** What the page shows, and where whoever is at the field has gone. */
    let shown = value;
    let gone = value;
    const leave = () => {
        isTyped = false;
        // While a year is typed it is one of the first centuries; some browsers have a text field for a month.
        if (field.value === gone || !/^(19|2\d)\d\d-(0[1-9]|1[0-2])(-\d\d)?$/.test(field.value)) return;
        gone = field.value;
        go(field.value);
    };
    field.addEventListener("keydown", ({ key }) => {
        isTyped = key !== "Enter";
        if (!isTyped) leave();
    });
    field.addEventListener("pointerdown", () => {
        isTyped = false;
    });
    field.addEventListener("change", () => {
        if (!isTyped) leave();
    });
    field.addEventListener("blur", leave);
    field.addEventListener("focus", () => {
        // Somebody may have stayed for what they had typed elsewhere.
        gone = shown;
    });
    /** Shows another value, unless somebody is at it. */
    field.show = (other) => {
        shown = other;
        if (document.activeElement === field) return;
        gone = other;
        if (field.value !== other) field.value = other;
    };
    return field;
}

/**
 * A field to find somebody by a part of the name.
 *
 * @param {() => void} changed Called when another text stands there.
 * @returns {{ element: Element, isEmpty: () => boolean, finds: (name: string) => boolean }}
 */
export function makeSearch(label, changed) {
    const element = make("input", "search");
    element.type = "search";
    element.id = "search";
    element.placeholder = label;
    element.setAttribute("aria-label", label);
    element.addEventListener("input", changed);
    const wanted = () => element.value.trim().toLocaleLowerCase();
    return {
        element,
        isEmpty: () => wanted() === "",
        finds: (name) => name.toLocaleLowerCase().includes(wanted()),
    };
}

/**
 * Has somebody sign in over the page whose session is over, so that nothing they have typed is lost. Whether they did;
 * somebody else begins with a page of their own.
 *
 * @param {Api} api
 * @param {string} account The name they had.
 */
export function askToSignIn(api, account) {
    return new Promise((resolve) => {
        const form = makeForm({
            go: t("page.signin"),
            fields: [
                { name: "name", label: t("signin.name"), value: account, isNeeded: true, isName: true,
                    autocomplete: "username" },
                { name: "password", label: t("signin.password"), kind: "password", isNeeded: true,
                    autocomplete: "current-password" },
            ],
            send: async ({ name, password }) => {
                const own = name.toLowerCase();
                await api.ask("POST", "/api/v1/session", { body: { name: own, password }, isDoor: true });
                // What one person has asked for is not sent as another, nor does it keep their page open.
                isDone = own === account;
                if (!isDone) {
                    for (const one of document.querySelectorAll("form[data-dirty]")) delete one.dataset.dirty;
                    location.reload();
                }
                dialog.close();
            },
        });
        let isDone = false;
        const dialog = openDialog(t("form.session-over"), make("p", "", t("form.session-over-lead")), form);
        dialog.addEventListener("close", () => resolve(isDone));
        form.field(account === "" ? "name" : "password").focus();
    });
}
