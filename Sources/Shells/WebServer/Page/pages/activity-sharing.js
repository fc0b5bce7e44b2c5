import { make, makeSection, setText } from "../kit/element.js";
import { makeForm } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";
import { of } from "./whose.js";

/** The parts that are shared each by itself. */
export const ITEMS = ["steps", "distance", "energy", "moving", "activities", "heart_rate"];

/**
 * What somebody shares with trainers of their activity.
 *
 * @param {() => string} userOf Whose it is.
 */
export function makeActivitySharing({ api, announce }, userOf) {
    /** Whose choice is in the fields. */
    let filledOf = "";
    const form = makeForm({
        go: t("activity.sharing-keep"),
        fields: ITEMS.map((item) => ({
            name: item, label: t(`activity.item.${item}`), kind: "check",
            ...item === "energy" ? { hint: t("activity.item.energy-hint") } : {},
        })),
        send: async (values, key) => {
            const body = { user: filledOf, items: ITEMS.filter((item) => values[item]) };
            const { data } = await api.ask("PUT", "/api/v1/activity/sharing", { body, key });
            fill(data);
            announce(t("activity.sharing-kept"));
        },
    });
    form.hidden = true;
    const now = make("p", "detail");
    now.setAttribute("role", "status");
    const part = makePart(async () => {
        const user = userOf();
        if (user !== filledOf) {
            form.hidden = true;
            delete form.dataset.dirty;
        }
        if (user === "") return;
        const data = await api.get(of("/api/v1/activity/sharing", user));
        if (user !== userOf() || form.dataset.dirty !== undefined) return;
        filledOf = user;
        fill(data);
    });

    function fill({ items }) {
        form.fill(Object.fromEntries(ITEMS.map((item) => [item, items.includes(item)])));
        form.hidden = false;
        setText(now, items.length === 0 ? t("activity.shares-nothing") :
            t("activity.shares", { items: itemWords(items) }));
    }

    return {
        section: makeSection(t("activity.sharing"), make("div", "panel own",
            make("p", "", t("activity.sharing-lead")), part.element, form, now)),
        load: part.load,
    };
}

/** Parts by their names, in a row. */
export function itemWords(items) {
    return items.map((item) => t(`activity.item.${item}`)).join(", ");
}
