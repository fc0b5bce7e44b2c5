import { keepPreference } from "../data/session.js";
import { SetBox } from "../data/set-box.js";
import { forgetAll } from "../data/worker.js";
import { openForm } from "../kit/box.js";
import { make, makeLink, makeSection, setSentence, setText } from "../kit/element.js";
import { LEAST_PASSWORD, makeButton, makeForm, refusalWords } from "../kit/form.js";
import { sentence, t } from "../words/words.js";
import { makePersonData } from "./person-data.js";
import { makePin } from "./pin.js";

/** Who is signed in: password, sessions elsewhere, language and colours. */
export default function account(main, tools) {
    const { session, api } = tools;
    const who = make("p");
    who.id = "who";
    setSentence(who, sentence("account.who", {
        name: { name: session.account }, role: t(`role.${session.role}`),
    }));
    const said = make("p", "said");
    said.setAttribute("role", "status");

    async function leave(path) {
        const box = session.user === "" ? null : await SetBox.open(session.user);
        const kept = box?.rows().filter(({ isDeleted }) => !isDeleted).length ?? 0;
        if (kept === 0) return end(path);
        const form = openForm(t("account.kept-title"), t("account.kept-lead", { n: kept }), {
            fields: [{ name: "deletes", label: t("account.kept-delete"), kind: "check" }],
            go: t("account.sign-out"),
            send: async ({ deletes }) => {
                // Without a network nobody is signed out, and nothing is deleted.
                await api.ask("DELETE", path, { isDoor: true });
                if (deletes) await box.clear();
                form.fill({});
                await forgetAll();
                location.replace("/signin");
            },
        });
    }

    async function end(path) {
        try {
            await api.ask("DELETE", path, { isDoor: true });
            await forgetAll();
            location.replace("/signin");
        } catch (error) {
            setText(said, refusalWords(error)[0]);
        }
    }
    const signOut = makeButton(t("account.sign-out"), () => leave("/api/v1/session?here=true"));
    signOut.id = "sign-out";
    const everywhere = makeButton(t("account.sign-out-everywhere"), () => leave("/api/v1/session"), "quiet");

    const password = makeForm({
        go: t("account.change-password"), className: "inline",
        fields: [
            { name: "old", label: t("account.old-password"), kind: "password", isNeeded: true, most: 256,
                autocomplete: "current-password" },
            { name: "password", label: t("account.new-password"), kind: "password", isNeeded: true,
                least: LEAST_PASSWORD, most: 256, autocomplete: "new-password",
                hint: t("signin.password-hint", { least: LEAST_PASSWORD }) },
        ],
        send: async ({ old, password: next }) => {
            await api.ask("PUT", "/api/v1/session/password", { body: { old, password: next }, isDoor: true });
            password.fill({ old: "", password: "" });
            setText(said, t("account.changed"));
        },
    });
    password.id = "password-form";

    const looks = makeForm({
        go: t("account.keep"), className: "inline", isFilter: true,
        fields: [
            { name: "language", label: t("account.language"), kind: "choice", value: document.documentElement.lang,
                options: [["en", t("account.english")], ["de", t("account.german")]] },
            { name: "theme", label: t("account.theme"), kind: "choice",
                value: document.documentElement.dataset.theme ?? "",
                options: [["", t("account.theme-auto")], ["light", t("account.theme-light")],
                    ["dark", t("account.theme-dark")]] },
        ],
        send: async ({ language, theme }) => {
            keepPreference("language", language);
            keepPreference("theme", theme);
            location.reload();
        },
    });
    looks.id = "looks";

    main.append(said);
    if (session.account !== "") {
        main.append(make("div", "panel", who, make("div", "buttons", signOut, everywhere)),
            makeSection(t("account.password"), make("div", "panel", password)));
    }
    main.append(makeSection(t("account.looks"), make("div", "panel", looks)),
        ...(session.user === "" ? [] : [makePin(tools, session.user), makePersonData(tools, session.user)].filter(Boolean)),
        make("p", "links", makeLink("/docs", t("account.docs"))));
    return { draw() {} };
}
