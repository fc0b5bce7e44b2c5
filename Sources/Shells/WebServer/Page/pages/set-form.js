import { make, setText } from "../kit/element.js";
import { makeButton, makeForm } from "../kit/form.js";
import { t } from "../words/words.js";
import { MEASURES } from "./training.js";

/** What a set may be, by the contract. */
const LIMITS = { weight_kg: [0, 1000], reps: [1, 1000], duration_s: [1, 86_400], distance_m: [1, 1_000_000] };
/** What one press changes. */
const STEPS = { reps: 1, duration_s: 5, distance_m: 100 };
export const KINDS = ["working", "warm-up", "drop", "failure"];
const MEASURED = Object.values(MEASURES);

/**
 * The fields of a set, with a button less and one more beside each number.
 *
 * @param {string} go What the button says.
 * @param {(set: object) => Promise<void>} send Takes the members of the set that this form knows.
 * @param {boolean} isFilter Whether nothing is lost with what was typed.
 * @returns {{ element: HTMLFormElement, show: (exercise: object, set: object) => void, label: (text: string) => void }}
 */
export function makeSetForm(go, send, isFilter = false) {
    let exercise = null;
    const fields = [
        numberField("weight_kg", t("training.weight"), false), ...MEASURED.map((name) =>
            numberField(name, t(`training.${name}`), true)),
        { name: "kind", label: t("training.kind"), kind: "choice",
            options: KINDS.map((kind) => [kind, t(`training.kind.${kind}`)]) },
        { name: "rir", label: t("training.rir"), kind: "number", least: 0, most: 10, step: 1,
            hint: t("training.rir-hint") },
        { name: "note", label: t("training.note"), most: 500 },
    ];
    const form = makeForm({
        className: "set-form", go, fields, isFilter,
        check(values) {
            const needsWeight = exercise?.load === "weight" && values.weight_kg === "";
            if (needsWeight) return ["weight_kg", t("form.needed", { label: t("training.weight") })];
            const uneven = [...MEASURED, "rir"].find((name) =>
                !row(name).hidden && values[name] !== "" && !Number.isInteger(Number(values[name])));
            return uneven === undefined ? null : [uneven, t("form.unreadable", { label: t(`training.${uneven}`) })];
        },
        send: (values) => send(setOf(values, exercise)),
    });
    const row = (name) => form.field(name).closest(".field");
    for (const name of ["weight_kg", ...MEASURED]) addSteps(form, name, () => exercise);
    const more = make("details", "", make("summary", "", t("workout.more")), ...["kind", "rir", "note"].map(row));
    form.querySelector(".fault").before(make("div", "numbers", ...["weight_kg", ...MEASURED].map(row)), more);
    return {
        element: form,
        label: (text) => setText(form.querySelector("button.go"), text),
        /** Shows an exercise with the values of a set. */
        show(other, set) {
            exercise = other;
            row("weight_kg").hidden = exercise.load === "none";
            for (const name of MEASURED) row(name).hidden = name !== MEASURES[exercise.measure];
            form.field("weight_kg").step = "any";
            form.tell("");
            form.fill({
                weight_kg: set.weight_kg, reps: set.reps, duration_s: set.duration_s, distance_m: set.distance_m,
                kind: set.kind ?? "working", rir: set.rir, note: set.note,
            });
            more.open = set.rir !== undefined || Boolean(set.note);
        },
    };
}

function numberField(name, label, isNeeded) {
    const [least, most] = LIMITS[name];
    return { name, label, kind: "number", least, most, isNeeded, step: name === "weight_kg" ? "any" : 1 };
}

/** Buttons beside a number, for a thumb. */
function addSteps(form, name, exerciseOf) {
    const input = form.field(name);
    const [least, most] = LIMITS[name];
    const move = (direction) => () => {
        const step = STEPS[name] ?? exerciseOf()?.increment_kg ?? 2.5;
        const value = Number(input.value) + direction * step;
        // Binary fractions would add up to 82.49999.
        input.value = String(Math.round(Math.min(most, Math.max(least, value)) * 1000) / 1000);
        input.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const label = input.closest(".field").querySelector("label").textContent;
    const button = (sign, key, direction) => {
        const made = makeButton(sign, move(direction), "step");
        made.setAttribute("aria-label", t(key, { label }));
        return made;
    };
    const steps = make("div", "steps");
    input.before(steps);
    steps.append(button("−", "training.less", -1), input, button("+", "training.more", 1));
}

/** The set that was typed, without what its exercise has not. */
function setOf(values, exercise) {
    const measured = MEASURES[exercise.measure];
    const set = { exercise: exercise.id, kind: values.kind, [measured]: Number(values[measured]) };
    if (exercise.load !== "none" && values.weight_kg !== "") set.weight_kg = Number(values.weight_kg);
    if (values.rir !== "") set.rir = Number(values.rir);
    if (values.note !== "") set.note = values.note;
    return set;
}
