import { Refusal } from "../data/api.js";
import { make } from "../kit/element.js";
import { fieldOf } from "../kit/fields.js";
import { makeForm } from "../kit/form.js";
import { t } from "../words/words.js";

/** How workouts begin and pause by themselves, for all stations of a kind at once; `null` for who may not. */
export function makeStarts({ api, announce }, asked) {
    const operation = asked.get("station-change-kind");
    if (operation === undefined) return null;
    const declared = operation.members;
    const fields = declared.map((member) => {
        const field = fieldOf(member, new Map());
        // What a hint says of one station is not so of many: here what is empty stays.
        return member.name !== "kind" ? { ...field, hint: undefined } :
            { ...field, isNeeded: true, options: field.options.filter(([kind]) => kind !== "") };
    });
    const form = makeForm({
        fields, go: t("settings.training-go"),
        check: (values) => declared.every(({ name }) => name === "kind" || values[name] === "") ?
            ["auto_start_s", t("settings.training-nothing")] : null,
        send: async (values, key) => {
            const body = { kind: values.kind };
            for (const { name } of declared) {
                if (name !== "kind" && values[name] !== "") body[name] = Number(values[name]);
            }
            const { data } = await api.ask("PATCH", operation.path, { body, key });
            if (data.stations === 0) throw new Refusal("no_station", t("settings.training-none"), 404);
            announce(t("settings.training-done", { n: data.stations }));
        },
    });
    return { element: make("div", "", make("p", "detail", t("settings.training-hint")), form) };
}
