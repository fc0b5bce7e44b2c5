import { Refusal } from "../data/api.js";
import { wayBack } from "../data/door.js";
import { forgetAll } from "../data/worker.js";
import { make, makeLink, setSentence, setText } from "../kit/element.js";
import { LEAST_PASSWORD, makeButton, makeForm, refusalWords } from "../kit/form.js";
import { has, sentence, t } from "../words/words.js";


/**
 * The door of the page, in these shapes: `session`, sign in with name and password; `invitation`, accept
 * one, whose secret is the fragment of the address and so never part of any; `claim` a site that nobody
 * owns, with the code of the coordinator's log. People may have been invited to such a site already, so
 * that this shape leads to the first and back. A link that opens nothing any more is `used` or `old`.
 */
export default async function signin(main, { api }) {
    const invitation = /^#invite=([\w-]{43})$/.exec(location.hash)?.[1] ?? null;
    const token = /^#(bm_[\w-]{1,250})$/.exec(location.hash)?.[1] ?? null;
    const code = /^#claim=([\w-]{1,20})$/.exec(location.hash)?.[1] ?? "";
    if (invitation || code || token) history.replaceState(null, "", location.pathname + location.search);
    const title = main.querySelector("h1");
    const content = make("div");
    main.classList.add("door");
    main.append(content);

    /** Asks for something that anybody may. */
    const ask = (path, body) => api.ask("POST", path, { body, isDoor: true });

    function show(shape, { isUnowned = false, invitee = null } = {}) {
        setText(title, t(`signin.${shape}`));
        document.title = `${t(`signin.${shape}`)} · Beaconmesh`;
        const lead = make("p");
        lead.id = "lead";
        const words = shape === "invitation" ? welcome(invitee) :
            has(`signin.${shape}-lead`) ? sentence(`signin.${shape}-lead`) : [];
        setSentence(lead, words);
        lead.hidden = words.length === 0;
        if (shape === "used" || shape === "old") {
            content.replaceChildren(lead, make("p", "", makeLink("/signin", t("page.signin"))));
            return;
        }
        const form = makeForm({
            isOnly: true, fields: fields(shape, invitee), go: t(`signin.${shape}-go`),
            check: ({ name }) => shape === "claim" && !/^[a-z0-9._-]+$/i.test(name) ?
                ["name", t("signin.name-form")] : null,
            send: async ({ code, name, password }) => {
                const own = name?.toLowerCase();
                try {
                    if (shape === "session") await ask("/api/v1/session", { name: own, password });
                    if (shape === "invitation") await ask("/api/v1/session/invitation", { invitation, password });
                    if (shape === "claim") await ask("/api/v1/claim", { code, name: own, password });
                } catch (error) {
                    if (isSpent(error, shape)) return;
                    throw error.status === 401 ? new Refusal("wrong_password", "", 401) : error;
                }
                form.fill({});
                // What the one before saw is nobody else's.
                await forgetAll();
                location.replace(wayBack());
            },
        });
        form.id = "form";
        const other = makeButton(t(shape === "claim" ? "signin.have-account" : "signin.claim"),
            () => show(shape === "claim" ? "session" : "claim", { isUnowned }), "quiet");
        other.id = "other";
        other.hidden = !isUnowned;
        const help = make("p", "detail", t("signin.help"));
        help.hidden = shape !== "session";
        content.replaceChildren(lead, form, other, help);
        if (shape === "claim") form.refill({ code });
        form.field(shape === "claim" && code === "" ? "code" : shape === "invitation" ? "password" : "name").focus();
    }

    /** Whether an invitation opens nothing any more, which is then shown. */
    function isSpent(error, shape) {
        const spent = error instanceof Refusal ? { 404: "used", 410: "old" }[error.status] : undefined;
        if (shape !== "invitation" || spent === undefined) return false;
        show(spent);
        return true;
    }

    // The address of a screen or a kiosk brings its token along.
    if (token) {
        try {
            await ask("/api/v1/session/token", { token });
            await forgetAll();
            location.replace(wayBack());
            return;
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            content.append(make("p", "fault", error.status === 401 ? t("signin.no-board") : refusalWords(error)[0]));
            return;
        }
    }
    if (invitation) {
        try {
            show("invitation", { invitee: (await ask("/api/v1/session/invitee", { invitation })).data });
        } catch (error) {
            if (!isSpent(error, "invitation")) show("invitation");
        }
        return;
    }
    const claim = await api.get("/api/v1/claim").catch(() => null);
    const isUnowned = claim?.open === true;
    show(isUnowned ? "claim" : "session", { isUnowned });
}

function fields(shape, invitee) {
    const isNew = shape !== "session";
    const name = {
        name: "name", label: t("signin.name"), isNeeded: true, most: 64, isName: true, autocomplete: "username",
        hint: shape === "claim" ? t("signin.name-hint") : undefined, value: invitee?.name,
    };
    return [
        ...(shape === "claim" ? [{
            name: "code", label: t("signin.code"), isNeeded: true, most: 9, isName: true,
        }] : []),
        // Whoever is invited is told their name, and so is what keeps their passwords.
        ...(shape === "invitation" ? (invitee === null ? [] : [{ ...name, isFixed: true }]) : [name]),
        {
            name: "password", label: t("signin.password"), kind: "password", isNeeded: true, most: 256,
            least: isNew ? LEAST_PASSWORD : undefined, autocomplete: isNew ? "new-password" : "current-password",
            hint: isNew ? t("signin.password-hint", { least: LEAST_PASSWORD }) : undefined,
        },
    ];
}

function welcome(invitee) {
    if (invitee === null) return sentence("signin.choose");
    return sentence("signin.welcome", {
        name: { name: invitee.name }, role: t(`role.${invitee.role}`),
        site: invitee.site ? { name: invitee.site } : t("signin.this-site"),
    });
}
