import { compare, has, number, t } from "../words/words.js";

/**
 * Fields of forms that follow from what is declared: each member of an operation (`GET /api/v1/operations`) says its
 * form, its range and what it names.
 */

/** What a member is called. */
export function memberLabel(name) {
    return has(`member.${name}`) ? t(`member.${name}`) : name;
}

/** A word of a member in the words of the page. */
export function choiceWord(name, word) {
    return has(`choice.${name}.${word}`) ? t(`choice.${name}.${word}`) : word;
}

/** The lists that members name rows of. */
export function listsOf(members) {
    return [...new Set(members.flatMap(({ of }) => of === undefined ? [] : [of]))];
}

/**
 * A field of `makeForm`; `null` for a member that nobody types.
 *
 * @param {object} member As it is declared.
 * @param {Map<string, Map<string, string>>} rows What is named: by list, the labels by id.
 */
export function fieldOf(member, rows) {
    const { name, form, each, of, words, least, most, needed: isNeeded } = member;
    const field = {
        name, label: memberLabel(name), isNeeded,
        hint: has(`member-hint.${name}`) ? t(`member-hint.${name}`) : undefined,
    };
    const options = of !== undefined ?
        [...rows.get(of) ?? []].sort(([, a], [, b]) => compare(a, b)) :
        (words ?? []).map((word) => [word, choiceWord(name, word)]);
    switch (form === "list" ? each : form) {
    case "reference": case "choice":
        if (form === "list") return { ...field, kind: "many", options };
        return { ...field, kind: "choice", options: [["", t("setup.none")], ...options] };
    case "flag": return { ...field, kind: "check" };
    case "whole": return { ...field, kind: "number", least, most, step: 1 };
    case "number":
        return form === "list" ? { ...field, kind: "text", most: 200 } : { ...field, kind: "number", least, most };
    case "lines": return { ...field, kind: "lines", most };
    case "id": return { ...field, kind: "text", most: 64 };
    case "date": return { ...field, kind: "date" };
    case "text": return { ...field, kind: "text", least: isNeeded ? least : undefined, most };
    case "map": return { ...field, kind: "text", most: 400 };
    default: return null;
    }
}

/** A stored value as a field shows it. */
export function shownIn(member, value) {
    if (value === undefined || value === null) {
        return member.form === "list" && (member.of || member.words) ? [] : "";
    }
    if (member.factor) return String(value / member.factor);
    if (member.form === "map") return Object.entries(value).map(([key, text]) => `${key}: ${text}`).join(", ");
    if (member.form === "list" && member.each === "number") return value.join(", ");
    return typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : value;
}

/** What was typed, as it is sent; `null` takes a value away. */
export function sentOf(member, typed) {
    if (typed === "" || Array.isArray(typed) && typed.length === 0) return null;
    switch (member.form) {
    // A browser's third of an hour is no third.
    case "whole": case "number": return Math.round(Number(typed) * (member.factor ?? 1) * 1000) / 1000;
    case "list":
        if (Array.isArray(typed)) return typed;
        return typed.split(",").map((one) => one.trim()).filter(Boolean)
            .map((one) => member.each === "number" && Number.isFinite(Number(one)) ? Number(one) : one);
    case "map":
        return Object.fromEntries(typed.split(",").map((part) => {
            const [key, ...text] = part.split(":");
            return [key.trim(), text.join(":").trim()];
        }));
    default: return typed;
    }
}

/** A stored value for people, or `null` where there is nothing to say. */
export function saidOf(member, value, rows) {
    if (value === undefined || value === null) return null;
    const one = (value) => member.of !== undefined ? rows.get(member.of)?.get(value) ?? value :
        member.words !== undefined ? choiceWord(member.name, value) :
            typeof value === "number" ? number(value / (member.factor ?? 1)) : String(value);
    if (Array.isArray(value)) return value.map(one).join(", ");
    if (typeof value === "object") return Object.values(value).join(", ");
    return typeof value === "boolean" ? (value ? memberLabel(member.name) : null) : one(value);
}
