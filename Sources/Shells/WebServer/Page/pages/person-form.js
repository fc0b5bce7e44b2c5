import { makePart } from "../kit/part.js";

/**
 * Keeps a form about whoever is chosen: filled anew when somebody else is, and hidden until it is. What was typed and
 * is not saved yet stays; the other fields follow what is stored.
 *
 * @param {HTMLFormElement} form As `makeForm` makes it.
 * @param {Element[]} others What is about the same person, and is hidden with it.
 * @param {() => string} userOf Who is chosen; "": nobody.
 * @param {(user: string) => Promise<object>} get What is stored of them.
 * @param {(data: object) => object} valuesOf The fields of that.
 * @param {(data: object) => void} tell Says beside them what is stored.
 * @param {string[]} together Fields that mean something only together: with one all are stored as they stand.
 */
export function makePersonForm(form, others, userOf, get, {
    valuesOf = (data) => data, tell = () => {}, together = [],
} = {}) {
    let filledOf = "";
    /** For whom it was made empty last, whether or not it could be filled. */
    let emptiedFor = "";
    /** So often something was stored since: what was read before is old then. */
    let stored = 0;
    const show = (isShown) => [form, ...others].forEach((one) => { one.hidden = !isShown; });
    show(false);
    const part = makePart(async () => {
        const user = userOf();
        // What was typed for somebody else is not for them.
        if (user !== filledOf && user !== emptiedFor) form.startOver();
        emptiedFor = user;
        if (user !== filledOf) filledOf = "";
        if (user === "") return;
        const before = stored;
        const data = await get(user);
        // Whatever happened meanwhile has asked for another load.
        if (user !== userOf() || before !== stored) return;
        tell(data);
        // Of somebody else all is replaced, also what a browser cannot read yet.
        if (user === filledOf) form.refill(valuesOf(data)); else form.fill(valuesOf(data));
        filledOf = user;
        show(true);
    });
    function load() {
        // At once, whatever is under way: nobody saves or deletes for somebody who is no longer chosen.
        if (userOf() !== filledOf) show(false);
        part.load();
    }
    return {
        element: part.element,
        load,
        /** Of whom the fields were filled, whoever is chosen by now. */
        get user() { return filledOf; },
        /**
         * Stores what was typed, and beside it what is stored by now, which another device may have changed; then
         * shows what is.
         *
         * @param {object} values Those of the form.
         * @param {(user: string, values: object) => Promise<void>} put
         */
        async save(values, put) {
            const user = filledOf;
            const isTogether = together.some(form.isTyped);
            const given = Object.entries(values).filter(([name]) =>
                form.isTyped(name) || (isTogether && together.includes(name)));
            await put(user, { ...valuesOf(await get(user)), ...Object.fromEntries(given) });
            stored += 1;
            part.load();
        },
    };
}
