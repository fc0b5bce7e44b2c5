import { peopleByLabel } from "../kit/choose-person.js";
import { fillChoice, makeChoice } from "../kit/form.js";
import { t } from "../words/words.js";

/**
 * Whose training a page is about: one's own, or for who may see everybody's that of a person to choose. The address
 * keeps the choice.
 *
 * @param {() => void} changed Called when somebody else is chosen.
 * @param {{ right?: string, among?: (user: string) => boolean, own?: string }} options `right`: what it takes to look
 *     at somebody else. `among`: who can be chosen. `own`: who is shown first.
 */
export function makeWhose({ session, site }, changed, {
    right = "workouts.read", among = () => true, own = session.user,
} = {}) {
    const { element, input } = makeChoice("whose", t("history.whose"), () => {
        whose.user = input.value;
        history.replaceState(null, "", whose.user === "" ? location.pathname : of("", whose.user));
        changed();
    });
    element.classList.add("whose");
    const mayChoose = session.may(right);
    element.hidden = !mayChoose;
    const asked = new URLSearchParams(location.search).get("user");
    const whose = {
        element,
        user: (mayChoose ? asked : null) ?? own,
        draw() {
            if (!mayChoose) return;
            const people = peopleByLabel(site).filter(([, user]) => among(user));
            fillChoice(input, [["", t("history.nobody")], ...people.map(([name, user]) => [user, name])]);
            if (input.value !== whose.user) input.value = whose.user;
        },
    };
    return whose;
}

/** A path with `?user=`, for pages and for what is asked of the server. */
export function of(path, user) {
    return `${path}${path.includes("?") ? "&" : "?"}user=${encodeURIComponent(user)}`;
}
