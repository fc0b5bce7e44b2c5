import { Refusal } from "../data/api.js";
import { group, makeSecret, openForm, showLink, showSecret } from "../kit/box.js";
import { make, makeRow, makeSection, makeTable, setCell, setData, setName, setText, showList } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { findPerson, offerPeople } from "../kit/choose-person.js";
import { sentence, t } from "../words/words.js";

/** What account names and names of tokens are made of. */
const NAME = /^[a-z0-9._-]{1,64}$/;
const ROLES = ["screen", "kiosk", "integration", "member", "trainer", "auditor", "manager", "owner"];
/** The roles of devices and programs, which are nobody. */
const NOBODY = new Set(["screen", "kiosk", "integration"]);
const SCOPES = [
    "live:read", "places:read", "places:write", "people:read", "people:write", "attendance:read",
    "attendance:write", "workouts:read", "workouts:write", "reports:read", "nodes:command",
    "metrics:read",
];
const COLUMNS = ["token", "role", "scopes", "person", "made", "used", "expires", "state", "actions"];

/** The tokens of programs and devices: a section of a page, and `load` and `draw`. */
export function makeTokens({ api, site, time, drawSoon }) {
    let tokens = null;
    const columns = COLUMNS.map((name) => t(`accounts.column.${name}`));
    const { box, rows } = makeTable(t("accounts.tokens"), columns, t("accounts.no-tokens"));
    box.hidden = true;

    const part = makePart(async () => {
        ({ tokens } = await api.get("/api/v1/tokens"));
        drawSoon();
    });
    const { load } = part;

    function revoke({ name }) {
        openForm(sentence("accounts.revoke-title", { name: { name } }), t("accounts.revoke-lead"), {
            go: t("accounts.revoke"),
            send: async () => {
                await api.ask("DELETE", `/api/v1/tokens/${encodeURIComponent(name)}`);
                load();
            },
        });
    }

    const add = makeButton(t("accounts.add-token"), () => {
        openToken({ api, site, tokens: tokens ?? [], made: load });
    });
    add.id = "add-token";
    return {
        section: makeSection(t("accounts.tokens"), make("p", "detail", t("accounts.tokens-lead")),
            make("div", "buttons", add), part.element, box),
        load,
        draw(now) {
            if (tokens === null) return;
            box.hidden = false;
            const rank = (token) => Number(stateOf(token, now) !== "active");
            const sorted = [...tokens].sort((a, b) => rank(a) - rank(b) || b.made_ms - a.made_ms);
            showList(rows, sorted, ({ name, made_ms: made }) => `${name} ${made}`, (token) => {
                const row = makeRow(columns);
                row.children[7].append(make("span", "pill"));
                const end = makeButton(t("accounts.revoke"), () => revoke(token), "ask");
                end.setAttribute("aria-label", t("accounts.revoke-label", { name: token.name }));
                row.children[8].append(end);
                return row;
            }, (row, token) => {
                const [name, role, scopes, person, made, used, expires, state, actions] = row.children;
                const moment = (ms) => ms === undefined ? null : time.short(ms, now);
                const is = stateOf(token, now);
                setName(name, token.name);
                setCell(role, t(`role.${token.role}`));
                setCell(scopes, token.scopes.length === 0 ? null : token.scopes.join(", "));
                setName(person, token.user === undefined ? null : site.nameOf("users", token.user));
                setCell(made, moment(token.made_ms));
                setCell(used, moment(token.used_ms));
                setCell(expires, token.expires_ms === undefined ? null : time.date(token.expires_ms));
                setData(state.firstElementChild, { state: is });
                setText(state.firstElementChild, t(`accounts.token-state.${is}`));
                actions.firstElementChild.hidden = is === "revoked";
                setData(actions, { empty: is === "revoked" ? "true" : null });
            });
        },
    };
}

function stateOf({ revoked_ms: revoked, expires_ms: expires }, now) {
    if (revoked !== undefined) return "revoked";
    return expires !== undefined && expires <= now ? "expired" : "active";
}

/** The form of a new token; the token is shown in its place. */
function openToken({ api, site, tokens, made }) {
    const form = openForm(t("accounts.add-token"), t("accounts.add-token-lead"), {
        go: t("accounts.make-token"),
        fields: [
            nameField(t("accounts.token-name"), t("accounts.token-name-hint")),
            { name: "role", label: t("accounts.role"), kind: "choice", value: ROLES[0],
                options: ROLES.map((role) => [role, t(`role.${role}`)]) },
            ...SCOPES.map((scope) => ({ name: scope, kind: "check",
                label: `${scope}: ${t(`accounts.scope.${scope.replace(":", "-")}`)}` })),
            { name: "user", label: t("accounts.person"), options: [], most: 200,
                hint: t("accounts.token-person-hint") },
            { name: "days", label: t("accounts.days"), kind: "number", value: "365", least: 1, most: 3650, step: 1,
                hint: t("accounts.days-hint") },
        ],
        check: (values) => {
            const { name, role, user, days } = values;
            if (!NAME.test(name.toLowerCase())) return ["name", t("signin.name-form")];
            if (tokens.some((one) => one.name === name.toLowerCase() && one.revoked_ms === undefined)) {
                return ["name", t("accounts.token-exists")];
            }
            if (role === "integration" && !SCOPES.some((scope) => values[scope])) {
                return [SCOPES[0], t("accounts.scopes-needed")];
            }
            if (role === "member" && user === "") return ["user", t("accounts.member-needs-person")];
            if (!NOBODY.has(role) && user !== "" && findPerson(site, user) === null) {
                return ["user", t("accounts.nobody", { name: user })];
            }
            return days !== "" && !/^\d+$/.test(days) ? ["days", t("accounts.whole")] : null;
        },
        send: async (values, key, dialog) => {
            const { name, role, user, days } = values;
            const body = { name: name.toLowerCase(), role };
            if (role === "integration") body.scopes = SCOPES.filter((scope) => values[scope]);
            if (!NOBODY.has(role) && user !== "") body.user = findPerson(site, user);
            if (days !== "") body.days = Number(days);
            let answer;
            try {
                answer = (await api.ask("POST", "/api/v1/tokens", { body, key })).data;
            } catch (error) {
                // It was made by the same request before, whose answer never came.
                if (error.code === "bad_state") made();
                throw error.code === "bad_state" ? new Refusal("lost", t("accounts.token-lost")) : error;
            }
            made();
            if (answer.path !== undefined) {
                const page = answer.path.slice(1).split("#")[0];
                await showLink(dialog, api, {
                    title: sentence("accounts.board-made", { name: { name: answer.name } }),
                    lead: t(`accounts.board-once.${page}`), label: t("accounts.link"),
                    link: location.origin + answer.path,
                });
                return true;
            }
            showSecret(dialog, sentence("accounts.token-made", { name: { name: answer.name } }),
                t("accounts.token-once"), makeSecret(answer.token, t("accounts.token")));
            return true;
        },
    });
    explainRole(form);
    group(form, t("accounts.scopes"), SCOPES);
    offerPeople(form.field("user"), site);
    const arrange = () => {
        const role = form.field("role").value;
        form.field(SCOPES[0]).closest("fieldset").hidden = role !== "integration";
        form.field("user").closest(".field").hidden = NOBODY.has(role);
    };
    form.field("role").addEventListener("change", arrange);
    arrange();
}

/** The field for a name that accounts and tokens have. */
export function nameField(label, hint) {
    return { name: "name", label, hint, isNeeded: true, most: 64, isName: true };
}

/** Whether a text is a name for an account or token. */
export function isName(text) {
    return NAME.test(text.toLowerCase());
}

/** Says below the field for a role what the chosen one may do. */
export function explainRole(form) {
    const field = form.field("role");
    const words = make("p", "detail");
    words.setAttribute("role", "status");
    const explain = () => setText(words, t(`accounts.may.${field.value}`));
    field.addEventListener("change", explain);
    field.closest(".field").append(words);
    explain();
}
