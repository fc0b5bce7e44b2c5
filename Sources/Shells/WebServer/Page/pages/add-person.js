import { openForm, showLink } from "../kit/box.js";
import { make, setText, showList } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { LONGEST_NAME } from "../kit/rename.js";
import { freeSlug, pseudonym } from "../kit/slug.js";
import { sentence, t } from "../words/words.js";
import { LONGEST_IDENTITY, tagFault } from "./add-tag.js";
import { level, strangers } from "./devices.js";
import { makeStrangers } from "./strangers.js";

/** So many of the loudest tags that are heard and nobody's are offered. */
const OFFERED = 4;

/**
 * A person, their tag and their invitation in one box. What is done stays done: whoever is told that a tag is somebody
 * else's tries again with another, and nobody is added twice.
 *
 * @returns {{ draw: (now: number) => void }} To be drawn as long as the page is.
 */
export function openAddPerson(tools) {
    const { site, api, session, time, announce } = tools;
    const mayInvite = session.may("accounts");
    const made = { user: null, tag: false };
    /** What is being made. */
    let step = "user";
    // The same at each try: what is sent again is the same.
    const id = pseudonym((one) => site.isNamed("users", one));
    const form = openForm(t("add-person.title"), t("add-person.lead"), {
        go: t("add-person.go"),
        fields: [
            { name: "name", label: t("member.name"), isNeeded: true, most: LONGEST_NAME, autocomplete: "off" },
            { name: "identity", label: t("add-person.tag"), most: LONGEST_IDENTITY, isName: true,
                hint: t("add-person.tag-hint") },
            ...(mayInvite ? [
                { name: "invites", label: t("add-person.invite"), kind: "check" },
                { name: "account", label: t("accounts.name"), most: 64, isName: true, hint: t("signin.name-hint") },
            ] : []),
        ],
        check: ({ invites, account }) =>
            invites && !/^[a-z0-9._-]{1,64}$/.test(account.toLowerCase()) ? ["account", t("signin.name-form")] : null,
        send: async ({ name, identity, invites, account }, _, dialog) => {
            if (made.user !== name) {
                await api.ask("PUT", `/api/v1/users/${id}`, { body: { name } });
                made.user = name;
            }
            if (identity !== "" && !made.tag) {
                step = "tag";
                await api.ask("POST", "/api/v1/beacons", { body: {
                    id: freeSlug(name, "tag", (one) => site.isNamed("beacons", one)), identity,
                    title: t("add-person.tag-of", { name }), user: id,
                } });
                made.tag = true;
                form.field("identity").readOnly = true;
            }
            if (!invites) {
                announce(t("add-person.done", { name }));
                return false;
            }
            step = "account";
            const { data } = await api.ask("POST", "/api/v1/accounts", {
                body: { name: account.toLowerCase(), role: "member", user: id },
            });
            await showLink(dialog, api, {
                title: sentence("accounts.invited", { name: { name } }), link: location.origin + data.path,
                label: t("accounts.link"), lead: t("accounts.link-once", { time: time.short(data.expires_ms, 0) }),
            });
            return true;
        },
        explain: (error, { account }) => {
            if (step === "tag") return tagFault(error);
            return step === "account" && ["already_exists", "bad_state"].includes(error.code) ?
                { name: "account", text: t("add-person.account-taken", { account }) } : null;
        },
    });
    const [name, identity, account] = ["name", "identity", "account"].map((one) => form.field(one));
    const invites = form.field("invites");
    const heard = make("ul", "heard");
    identity.closest(".field").append(heard);
    const notice = session.may("places.write") ? makeStrangers(tools) : null;
    if (notice !== null) identity.closest(".field").append(notice.element);
    const stop = tools.follow(["beacon/+/+", "node/+/health", "node/+/rssi/+"]);
    form.closest("dialog").addEventListener("close", stop);
    if (account) {
        const arrange = () => {
            account.closest(".field").hidden = !invites.checked;
        };
        let isOwn = false;
        account.addEventListener("input", () => {
            isOwn = true;
        });
        name.addEventListener("input", () => {
            if (!isOwn) account.value = freeSlug(name.value.trim().split(/\s+/)[0] ?? "", "", () => false);
        });
        invites.addEventListener("change", arrange);
        arrange();
    }
    name.focus();
    return {
        draw(now) {
            if (!form.isConnected) return;
            notice?.draw(now);
            const loudest = strangers(site, now).slice(0, OFFERED);
            showList(heard, loudest, ({ beacon }) => beacon, ({ beacon }) => make("li", "", makeButton("", () => {
                identity.value = beacon;
                identity.dispatchEvent(new Event("input", { bubbles: true }));
            }, "quiet")), (line, { beacon, strongest }) => {
                setText(line.firstElementChild, t("add-person.heard", {
                    tag: beacon, level: level(strongest.rssi), node: site.nameOf("nodes", strongest.node),
                }));
            });
        },
    };
}
