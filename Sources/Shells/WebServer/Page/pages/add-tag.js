import { findPerson, labelOf, offerPeople } from "../kit/choose-person.js";
import { openForm } from "../kit/box.js";
import { LONGEST_NAME } from "../kit/rename.js";
import { freeSlug } from "../kit/slug.js";
import { t } from "../words/words.js";

/** The longest identity, in characters. */
export const LONGEST_IDENTITY = 256;

/**
 * Asks what a new tag is called and who carries it: a tag without a name is one that nobody finds again.
 *
 * @param {{ heard?: [string, string][], identity?: string, user?: string, done?: (identity: string) => void }} known
 *     `heard`: identities that are heard and belong to no tag, with words for each; `identity`: the one that was
 *     chosen; `user`: who is to carry it.
 */
export function openAddTag({ site, api, announce }, { heard = [], identity = "", user: carrier, done } = {}) {
    let asked = {};
    const lead = identity !== "" ? "lead-heard" : heard.length > 0 ? "lead" : "lead-printed";
    const form = openForm(t("add-tag.title"), t(`add-tag.${lead}`), {
        go: t("add-tag.go"),
        fields: [
            { name: "identity", label: t("add-tag.identity"), value: identity, isNeeded: true, most: LONGEST_IDENTITY,
                hint: t("add-tag.identity-hint"), options: heard, isName: true },
            { name: "title", label: t("add-tag.name"), isNeeded: true, most: LONGEST_NAME },
            { name: "user", label: t("add-tag.user"), hint: t("add-tag.user-hint"), options: [],
                value: carrier && labelOf(site, carrier) },
            { name: "until", label: t("tags.until"), kind: "date", hint: t("tags.until-hint") },
        ],
        check: ({ user, until }) => {
            if (user !== "" && findPerson(site, user) === null) return ["user", t("form.nobody", { name: user })];
            return user === "" && until !== "" ? ["user", t("add-tag.until-whom")] : null;
        },
        send: async ({ identity: known, title, user, until }, key) => {
            // What is sent again is the same, also if the first answer was lost and the tag has its name by now.
            if (asked.key !== key) asked = { key, id: freeSlug(title, "tag", (id) => site.isNamed("beacons", id)) };
            const body = { id: asked.id, identity: known, title };
            if (user !== "") body.user = findPerson(site, user);
            if (until !== "") body.until = until;
            const { data } = await api.ask("POST", "/api/v1/beacons", { body, key });
            announce(t("add-tag.done", { name: title }), { isUrgent: true });
            done?.(data.identity ?? known);
        },
        explain: tagFault,
    });
    offerPeople(form.field("user"), site);
    form.field(identity === "" ? "identity" : "title").focus();
}

/** What is wrong with an identity, at its field; `null` if that is not why something was refused. */
export function tagFault({ code, detail }) {
    return code === "schema" && detail.includes(".identity: expected") ?
        { name: "identity", text: t("add-tag.identity-wrong") } : null;
}
