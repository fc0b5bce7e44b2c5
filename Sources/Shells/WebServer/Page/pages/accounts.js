import { Refusal } from "../data/api.js";
import { openForm, say, showLink } from "../kit/box.js";
import {
    make, makeLink, makeRow, makeSection, makeTable, setCell, setData, setName, setText, showList,
} from "../kit/element.js";
import { closeButton, makeButton, openDialog } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { findPerson, offerPeople } from "../kit/choose-person.js";
import { sentence, t } from "../words/words.js";
import { explainRole, isName, makeTokens, nameField } from "./tokens.js";

const ROLES = ["member", "trainer", "manager", "auditor", "owner"];
const COLUMNS = ["name", "role", "person", "state", "signed-in", "sessions", "actions"];

/** Who can sign in: invitations, roles, who is out; and the tokens of programs and devices. */
export default function accounts(main, tools) {
    const { api, site, session, time, drawSoon } = tools;
    const desk = new Desk(api, site, time, session.account, drawSoon);
    const invite = makeButton(t("accounts.invite"), () => desk.invite(), "go");
    invite.id = "invite";
    const columns = COLUMNS.map((name) => t(`accounts.column.${name}`));
    const { box, rows } = makeTable(t("page.accounts"), columns, t("accounts.none"));
    rows.id = "account-rows";
    box.hidden = true;
    const tokens = makeTokens(tools);
    const people = makeSection(t("accounts.people"), make("p", "detail", t("accounts.lead")),
        make("div", "buttons", invite), desk.part.element, box);
    for (const section of [people, tokens.section]) section.classList.add("stack");
    main.append(people, tokens.section);
    desk.load();
    tokens.load();
    return {
        draw(now) {
            tokens.draw(now);
            if (desk.accounts === null) return;
            box.hidden = false;
            showList(rows, desk.accounts, ({ name }) => name, ({ name }) => {
                const row = makeRow(columns);
                row.children[2].append(makeLink("#"));
                row.children[3].append(make("span", "pill"));
                const change = makeButton(t("accounts.change"), () => desk.change(name), "ask");
                change.setAttribute("aria-label", t("accounts.change-label", { name }));
                row.children[6].append(change);
                return row;
            }, (row, account) => update(row, account, site, time, now));
        },
    };
}

function update(row, account, site, time, now) {
    const [name, role, person, state, signedIn, sessions] = row.children;
    const { user } = account;
    setData(row, { account: account.name });
    setName(name, account.name);
    setCell(role, t(`role.${account.role}`));
    const link = person.firstElementChild;
    setName(link, user === undefined ? null : site.nameOf("users", user));
    setData(person, { empty: user === undefined ? "true" : null });
    if (user === undefined) {
        link.removeAttribute("href");
    } else if (link.getAttribute("href") !== `/people/${user}`) {
        link.href = `/people/${user}`;
    }
    const is = stateOf(account, now);
    setData(state.firstElementChild, { state: is });
    setText(state.firstElementChild, t(`accounts.state.${is}`));
    setCell(signedIn, account.signed_in_ms === undefined ? null : time.short(account.signed_in_ms, now));
    setCell(sessions, t("accounts.sessions", { n: account.sessions }));
}

/** `disabled`, `active`, `pending` while an invitation waits, `late` when it waited too long. */
function stateOf({ disabled_ms: disabled, has_password: isOpen, invited_until_ms: until }, now) {
    if (disabled !== undefined) return "disabled";
    if (until !== undefined && until > now) return "pending";
    return isOpen ? "active" : "late";
}

/** The changes of accounts, each of which asks first and says what follows. */
class Desk {
    /** Everybody who can sign in, `null` before that is known. */
    accounts = null;
    #api;
    #site;
    #time;
    /** The account of whoever looks. */
    #own;
    /** What is said while they are on their way. */
    part;

    constructor(api, site, time, own, drawSoon) {
        this.#api = api;
        this.#site = site;
        this.#time = time;
        this.#own = own;
        this.part = makePart(async () => {
            ({ accounts: this.accounts } = await api.get("/api/v1/accounts"));
            drawSoon();
        });
    }

    load() {
        return this.part.load();
    }

    /** Invites somebody new. */
    invite() {
        const site = this.#site;
        const form = openForm(t("accounts.invite"), t("accounts.invite-lead"), {
            go: t("accounts.invite-go"),
            fields: [
                nameField(t("accounts.name"), t("signin.name-hint")),
                { name: "role", label: t("accounts.role"), kind: "choice", value: ROLES[0],
                    options: ROLES.map((role) => [role, t(`role.${role}`)]) },
                { name: "user", label: t("accounts.person"), options: [], most: 200, hint: t("accounts.person-hint") },
            ],
            check: ({ name, user }) => {
                if (!isName(name)) return ["name", t("signin.name-form")];
                if (this.#account(name.toLowerCase()) !== undefined) return ["name", t("accounts.exists")];
                if (user === "") return null;
                const person = findPerson(site, user);
                if (person === null) return ["user", t("accounts.nobody", { name: user })];
                const other = this.accounts?.find((account) => account.user === person);
                return other === undefined ? null : ["user", t("accounts.person-has", { name: other.name })];
            },
            send: async ({ name, role, user }, key, dialog) => {
                const body = { name: name.toLowerCase(), role };
                if (user !== "") body.user = findPerson(site, user);
                await this.#show(dialog, "/api/v1/accounts", { body, key });
                return true;
            },
        });
        explainRole(form);
        offerPeople(form.field("user"), site);
    }

    /** What can be done with an account. */
    change(name) {
        const account = this.#account(name);
        if (account === undefined) return;
        const isOut = account.disabled_ms !== undefined;
        const act = (text, open) => makeButton(text, () => {
            dialog.close();
            open();
        });
        const choices = make("div", "choices",
            act(t("accounts.change-role"), () => this.#changeRole(account)),
            ...(isOut ? [] : [act(t("accounts.renew"), () => this.#renew(account))]),
            ...(account.sessions > 0 ? [act(t("accounts.sign-out"), () => this.#signOut(account))] : []),
            isOut ? act(t("accounts.enable"), () => this.#enable(account)) :
                act(t("accounts.disable"), () => this.#disable(account)));
        const dialog = openDialog(say("span", sentence("accounts.change-title", { name: { name } })), choices,
            make("div", "buttons", closeButton()));
        dialog.classList.add("small");
    }

    #changeRole(account) {
        const { name, role: before } = account;
        const title = sentence("accounts.role-title", { name: { name } });
        const form = openForm(title, this.#follows(account, t("accounts.role-lead")), {
            go: t("accounts.change-role"),
            fields: [{ name: "role", label: t("accounts.role"), kind: "choice", value: before,
                options: ROLES.map((role) => [role, t(`role.${role}`)]) }],
            check: ({ role }) => role === before ? ["role", t("accounts.same-role")] : null,
            send: async ({ role }) => {
                await this.#patch(account, { role });
            },
        });
        explainRole(form);
    }

    #renew(account) {
        const { name } = account;
        const title = sentence("accounts.renew-title", { name: { name } });
        const lead = account.role === "owner" ? t("accounts.renew-lead-owner") : t("accounts.renew-lead");
        openForm(title, this.#follows(account, lead), {
            go: t("accounts.renew"),
            send: async (_, key, dialog) => {
                await this.#show(dialog, `${this.#path(name)}/invitation`, { key });
                return true;
            },
        });
    }

    #signOut(account) {
        const { name } = account;
        openForm(sentence("accounts.sign-out-title", { name: { name } }),
            this.#follows(account, t("accounts.sign-out-lead", { n: account.sessions })), {
                go: t("accounts.sign-out"),
                send: async () => {
                    await this.#api.ask("DELETE", `${this.#path(name)}/sessions`);
                    this.load();
                },
            });
    }

    #disable(account) {
        openForm(sentence("accounts.disable-title", { name: { name: account.name } }),
            this.#follows(account, t("accounts.disable-lead")), {
                go: t("accounts.disable"), send: async () => this.#patch(account, { disabled: true }),
            });
    }

    #enable(account) {
        openForm(sentence("accounts.enable-title", { name: { name: account.name } }), t("accounts.enable-lead"), {
            go: t("accounts.enable"), send: async () => this.#patch(account, { disabled: false }),
        });
    }

    async #patch({ name, role }, body) {
        try {
            await this.#api.ask("PATCH", this.#path(name), { body });
        } catch (error) {
            if (error.code !== "bad_state") throw error;
            throw new Refusal("kept", body.disabled === false ? t("accounts.person-retired") :
                role === "owner" ? t("accounts.only-owner") : error.detail, error.status);
        }
        this.load();
    }

    /** Asks for an invitation, and shows its link in the place of the form. */
    async #show(dialog, path, request) {
        let answer;
        try {
            answer = (await this.#api.ask("POST", path, request)).data;
        } catch (error) {
            // It was made by the same request before, whose answer never came.
            if (error.code !== "bad_state") throw error;
            this.load();
            throw new Refusal("lost", t("accounts.link-lost"), error.status);
        }
        this.load();
        const link = location.origin + answer.path;
        await showLink(dialog, this.#api, {
            title: sentence("accounts.invited", { name: { name: answer.name } }), link, label: t("accounts.link"),
            lead: t("accounts.link-once", { time: this.#time.short(answer.expires_ms, 0) }),
        });
    }

    /** What follows, and that it meets whoever asks. */
    #follows({ name }, text) {
        return name === this.#own ? `${text} ${t("accounts.yourself")}` : text;
    }

    #account(name) {
        return this.accounts?.find((account) => account.name === name);
    }

    #path(name) {
        return `/api/v1/accounts/${encodeURIComponent(name)}`;
    }
}
