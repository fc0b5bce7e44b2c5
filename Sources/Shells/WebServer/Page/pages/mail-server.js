import { Refusal } from "../data/api.js";
import { make, setText } from "../kit/element.js";
import { makeButton, makeForm, refusalWords } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";
import { isAddress } from "./mail-settings.js";

const ADDRESS = "/api/v1/mail-server";

/** By which server the site sends mail, with a mail to try it; `null` for who may not. */
export function makeMailServer({ api, announce }, asked) {
    if (asked.get("mail-server-set") === undefined) return null;
    const state = make("p");
    state.id = "mail-server-state";
    const form = makeForm({
        go: t("setup.save"),
        fields: [
            { name: "url", kind: "text", label: t("mail.url"), hint: t("mail.url-hint"), isNeeded: true, least: 8, most: 300 },
            { name: "sender", kind: "text", label: t("mail.sender"), hint: t("mail.sender-hint"), isNeeded: true, least: 3, most: 254 },
            { name: "username", kind: "text", label: t("mail.username"), most: 254, autocomplete: "off" },
            { name: "password", kind: "password", label: t("mail.password"), hint: t("mail.password-hint"), most: 254,
                autocomplete: "new-password" },
            { name: "page", kind: "text", label: t("mail.page"), hint: t("mail.page-hint"), most: 200 },
        ],
        send: async (values) => {
            const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
            await api.ask("PUT", ADDRESS, { body });
            announce(t("settings.saved"));
            part.load();
        },
    });
    form.id = "mail-server";
    const said = make("p", "detail");
    said.id = "mail-trial-said";
    said.setAttribute("role", "status");
    const trial = makeForm({
        go: t("mail.trial"),
        fields: [{ name: "address", kind: "text", label: t("mail.trial-to"), isNeeded: true, least: 3, most: 254, autocomplete: "email" }],
        check: ({ address }) => isAddress(address) ? null : ["address", t("mail.address-wrong")],
        send: async ({ address }) => {
            setText(said, t("mail.trying"));
            try {
                const { data } = await api.ask("POST", `${ADDRESS}/test`, {
                    body: { address, language: document.documentElement.lang },
                });
                setText(said, t(data.delivered ? "mail.trial-taken" : "mail.trial-refused",
                    { address, why: data.status ?? data.reason ?? "" }));
            } catch (error) {
                setText(said, "");
                throw error;
            }
        },
    });
    trial.id = "mail-trial";
    const remove = makeButton(t("mail.server-remove"), async () => {
        try {
            await api.ask("DELETE", ADDRESS);
            announce(t("mail.server-removed"));
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            announce(refusalWords(error).filter(Boolean).join(" "));
        }
        part.load();
    }, "quiet danger");
    const more = make("div", "stack", trial, said, make("div", "buttons", remove));
    const part = makePart(async () => {
        const server = await api.get(ADDRESS);
        const isSet = server.url !== undefined;
        setText(state, isSet ? t("mail.server-is", { url: server.url }) : t("mail.server-none"));
        form.fill({
            url: server.url ?? "", sender: server.sender ?? "", username: server.username ?? "", password: "",
            page: server.page ?? location.origin,
        });
        more.hidden = !isSet;
    });
    more.hidden = true;
    part.load();
    return { element: make("div", "stack", make("p", "detail", t("mail.server-lead")), part.element, state, form, more) };
}
