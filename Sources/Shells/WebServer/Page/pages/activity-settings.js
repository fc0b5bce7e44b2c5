import { group, openForm } from "../kit/box.js";
import { make, makeSection, setText } from "../kit/element.js";
import { fillChoice, makeButton, makeForm } from "../kit/form.js";
import { t } from "../words/words.js";
import { makePersonForm } from "./person-form.js";
import { WEEKDAYS, weekday } from "./roster-desk.js";
import { of } from "./whose.js";

/** What may be set, by the contract. */
const LIMITS = { goal: [1, 200_000], height_cm: [50, 272], weight_kg: [20, 500], stride_m: [0.2, 2] };

/**
 * What somebody sets for their activity: goal, reminder, units, whose count stands, and what estimates need.
 *
 * @param {() => string} userOf Whose it is.
 */
export function makeActivitySettings({ api, announce, time, clock }, userOf) {
    const amount = (name, step) => ({
        name, label: t(`activity.set.${name}`), kind: "number", least: LIMITS[name][0], most: LIMITS[name][1], step,
    });
    const form = makeForm({
        go: t("activity.keep"),
        fields: [
            { ...amount("goal", 100), hint: t("activity.set.goal-hint") },
            { name: "at", label: t("activity.set.at"), kind: "time", hint: t("activity.set.at-hint") },
            ...WEEKDAYS.map((day) => ({ name: `day${day}`, label: weekday(day, time), kind: "check" })),
            { name: "units", label: t("activity.set.units"), kind: "choice",
                options: ["km", "mi"].map((unit) => [unit, t(`activity.units.${unit}`)]) },
            { name: "primary_source", label: t("activity.set.primary_source"), kind: "choice",
                options: [["", t("activity.any-source")]], hint: t("activity.set.primary_source-hint") },
            { ...amount("height_cm", "any"), hint: t("activity.set.body-hint") },
            amount("weight_kg", "any"), amount("stride_m", "any"),
        ],
        check: (values) => values.at !== "" && WEEKDAYS.every((day) => !values[`day${day}`]) ?
            ["day1", t("roster.no-weekday")] : null,
        send: async (typed) => {
            await filled.save(typed, (user, values) => {
                const given = (name) => (values[name] ?? "") === "" ? null : Number(values[name]);
                const body = {
                    user, goal: given("goal"), units: values.units, primary_source: values.primary_source || null,
                    reminder: values.at === "" ? null :
                        { at: values.at, weekdays: WEEKDAYS.filter((day) => values[`day${day}`]) },
                    height_cm: given("height_cm"), weight_kg: given("weight_kg"), stride_m: given("stride_m"),
                };
                return api.ask("PUT", "/api/v1/activity/settings", { body });
            });
            announce(t("activity.kept"));
        },
    });
    group(form, t("activity.set.weekdays"), WEEKDAYS.map((day) => `day${day}`)).classList.add("weekdays");
    const reset = makeButton(t("activity.reset"), () => openReset(filled.user), "quiet");
    const goals = make("p", "detail");
    const buttons = make("div", "buttons", reset);
    const filled = makePersonForm(form, [goals, buttons], userOf,
        (user) => api.get(of("/api/v1/activity/settings", user)), {
            valuesOf, tell, together: ["at", ...WEEKDAYS.map((day) => `day${day}`)],
        });

    /** Asks for a word before every sample of somebody goes. */
    function openReset(user) {
        const typed = t("activity.reset-type", { word: t("activity.reset-word") });
        openForm(t("activity.reset"), t("activity.reset-lead"), {
            go: t("activity.reset"),
            fields: [{ name: "word", label: typed, isNeeded: true }],
            check: ({ word }) => word === t("activity.reset-word") ? null : ["word", typed],
            send: async () => {
                await api.ask("DELETE", of("/api/v1/activity", user));
                announce(t("activity.is-reset"));
                filled.load();
            },
        });
    }

    function valuesOf(data) {
        const today = time.date(clock.now());
        return {
            // Not one that holds from some day to come: what is kept here holds from today.
            goal: data.goals.findLast((one) => one.from_date <= today)?.goal,
            at: data.reminder?.at ?? "", units: data.units, primary_source: data.primary_source ?? "",
            height_cm: data.height_cm, weight_kg: data.weight_kg, stride_m: data.stride_m,
            ...Object.fromEntries(WEEKDAYS.map((day) =>
                [`day${day}`, data.reminder === null || data.reminder.weekdays.includes(day)])),
        };
    }

    function tell(data) {
        const sources = [...new Set([...data.sources, data.primary_source].filter(Boolean))];
        fillChoice(form.field("primary_source"), [["", t("activity.any-source")], ...sources.map((one) => [one, one])]);
        setText(goals, data.goals.length < 2 ? "" : t("activity.goals", {
            goals: data.goals.map(({ from_date: from, goal }) =>
                `${from}: ${goal ?? t("activity.no-goal")}`).join(" · "),
        }));
    }

    return {
        sections: [makeSection(t("activity.goal-and-body"), make("div", "panel own", filled.element, form, goals,
            buttons))],
        load: filled.load,
    };
}
