import { make, makeSection, setText } from "../kit/element.js";
import { makeForm } from "../kit/form.js";
import { t } from "../words/words.js";
import { makePersonForm } from "./person-form.js";
import { of } from "./whose.js";

/** The parts that are shared each by itself. */
const ITEMS = ["steps", "distance", "energy", "moving", "activities", "heart_rate"];

/**
 * What somebody shares with trainers of their activity: each for themselves.
 *
 * @param {() => string} userOf Whose it is.
 */
export function makeActivitySharing({ api, announce }, userOf) {
    const form = makeForm({
        go: t("activity.keep"),
        fields: ITEMS.map((item) => ({
            name: item, label: t(`activity.item.${item}`), kind: "check",
            ...item === "energy" ? { hint: t("activity.item.energy-hint") } : {},
        })),
        send: async (typed) => {
            await filled.save(typed, (user, values) => api.ask("PUT", "/api/v1/activity/sharing", {
                body: { user, items: ITEMS.filter((item) => values[item]) },
            }));
            announce(t("activity.sharing-kept"));
        },
    });
    form.id = "activity-sharing";
    const now = make("p", "detail");
    now.setAttribute("role", "status");
    const filled = makePersonForm(form, [now], userOf, (user) => api.get(of("/api/v1/activity/sharing", user)), {
        valuesOf: ({ items }) => Object.fromEntries(ITEMS.map((item) => [item, items.includes(item)])),
        tell: ({ items }) => setText(now, items.length === 0 ? t("activity.shares-nothing") :
            t("activity.shares", { items: itemWords(items) })),
    });
    return {
        section: makeSection(t("activity.sharing"), make("div", "panel own",
            make("p", "", t("activity.sharing-lead")), filled.element, form, now)),
        load: filled.load,
    };
}

/** Parts by their names, in a row. */
export function itemWords(items) {
    return items.map((item) => t(`activity.item.${item}`)).join(", ");
}
