import { compare } from "../words/words.js";
import { make } from "./element.js";

/** People to choose from by name. Two may have one name: then each has the slug beside it. */

/** Everybody as `[label, slug]`, by name; who shares a name with others has the slug beside it. */
export function peopleByLabel(site) {
    const users = site.listed("users");
    const count = new Map();
    for (const user of users) count.set(site.nameOf("users", user), (count.get(site.nameOf("users", user)) ?? 0) + 1);
    return users.map((user) => {
        const name = site.nameOf("users", user);
        return [count.get(name) > 1 ? `${name} (${user})` : name, user];
    }).sort(([a], [b]) => compare(a, b));
}

const offered = new WeakMap();

/** Offers everybody's name to a field for text that was made with `options`. */
export function offerPeople(input, site) {
    const labels = peopleByLabel(site).map(([label]) => label);
    const key = labels.join("\n");
    if (offered.get(input) === key) return;
    offered.set(input, key);
    input.dir = "auto";
    input.list.replaceChildren(...labels.map((label) => {
        const option = make("option");
        option.value = label;
        return option;
    }));
}

/** The slug of whom a text names, or `null`. */
export function findPerson(site, text) {
    const small = text.toLocaleLowerCase();
    const people = peopleByLabel(site);
    const found = people.find(([label]) => label === text) ?? people.find(([, user]) => user === text) ??
        people.find(([label]) => label.toLocaleLowerCase() === small);
    return found?.[1] ?? null;
}

/** A person as a field for them says it. */
export function labelOf(site, user) {
    return peopleByLabel(site).find(([, other]) => other === user)?.[0] ?? user;
}
