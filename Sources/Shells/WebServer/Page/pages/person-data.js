import { Refusal } from "../data/api.js";
import { openForm } from "../kit/box.js";
import { make, makeLink, makeSection, setText } from "../kit/element.js";
import { makeButton, refusalWords } from "../kit/form.js";
import { sentence, t } from "../words/words.js";

/** All that is held about somebody: to have it as a file, and to have it deleted. `null` for whoever may neither. */
export function makePersonData({ site, session, api, announce }, user) {
    const isOwn = session.user === user;
    if (!(session.may("privacy") || (isOwn && session.may("privacy", "own")))) return null;
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const file = makeButton(t(isOwn ? "person.export-own" : "person.export"), save, "quiet");
    file.id = "export-person";
    const buttons = make("div", "buttons", file);
    if (session.may("privacy")) {
        const erase = makeButton(t("person.erase"), askToErase, "quiet danger");
        erase.id = "erase-person";
        buttons.append(erase);
    }
    const element = makeSection(t("person.data"), make("div", "panel", make("p", "detail", t("person.data-lead")), buttons, fault));
    element.id = "data";

    /** All of it as a file, which is named by the person. */
    async function save() {
        fault.hidden = true;
        file.disabled = true;
        try {
            const all = await api.get(`/api/v1/users/${encodeURIComponent(user)}/export`);
            const link = make("a");
            link.href = URL.createObjectURL(new Blob([JSON.stringify(all, null, 1)], { type: "application/json" }));
            link.download = `${user}.json`;
            link.click();
            URL.revokeObjectURL(link.href);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(fault, refusalWords(error).filter(Boolean).join(" "));
            fault.hidden = false;
        }
        file.disabled = false;
    }

    /** It cannot be undone: whoever asks types whom they mean. */
    function askToErase() {
        const name = site.nameOf("users", user);
        openForm(sentence("person.erase-title", { name: { name } }), t("person.erase-lead"), {
            go: t("person.erase-go"),
            fields: [
                { name: "reason", label: t("person.erase-reason"), most: 500, isNeeded: true, least: 1,
                    value: t("person.erase-asked") },
                { name: "attendance", label: t("person.erase-attendance"), kind: "check",
                    hint: t("person.erase-attendance-hint") },
                { name: "keep_beacons", label: t("person.erase-keep-tags"), kind: "check" },
                { name: "typed", label: t("person.erase-typed", { name }), isNeeded: true, least: 1, most: 128 },
            ],
            check: ({ typed }) => typed.trim() === name ? null : ["typed", t("person.erase-other", { name })],
            send: async ({ reason, attendance, keep_beacons: keeps }, key) => {
                await api.ask("POST", `/api/v1/users/${encodeURIComponent(user)}/erase`, {
                    key, body: { reason, attendance, keep_beacons: keeps },
                });
                announce(t("person.erased"));
                element.replaceChildren(make("p", "detail", t("person.erased-lead")), makeLink("/people", t("page.people")));
            },
        });
    }

    return element;
}
