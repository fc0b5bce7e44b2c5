import { Refusal } from "../data/api.js";
import { STALE_MS } from "../data/clock.js";
import { make, makeSection, setSentence, setText, showList } from "../kit/element.js";
import { closeButton, makeButton, makeForm, openDialog, refusalWords } from "../kit/form.js";
import { labelOf, peopleByLabel } from "../kit/choose-person.js";
import { age, compare, sentence, t } from "../words/words.js";
import { openAddTag } from "./add-tag.js";

/** Stands for no person among slugs: it is none. */
const NOBODY = "!";

/** The tags that somebody carries: heard or not, and who may give them to somebody else. */
export function makeTags(tools, user) {
    const { site, session, api, drawSoon } = tools;
    const mayWrite = session.may("people.write");
    const list = make("ul", "entries");
    list.id = "tags";
    const fault = make("p", "fault");
    fault.hidden = true;
    const empty = make("p", "detail", t("tags.none"));
    empty.hidden = true;
    const another = makeButton(t("tags.give"), give);
    another.id = "give-tag";
    another.hidden = !mayWrite;
    const element = makeSection(t("tags.title"), fault, list, empty, another);
    let tags = null;
    let stop = null;

    async function load() {
        try {
            tags = await api.all(`/api/v1/beacons?user=${user}&limit=500`, "beacons");
            fault.hidden = true;
            stop?.();
            stop = tags.length === 0 || !session.may("live") ? null :
                tools.follow(tags.slice(0, 16).map(({ id }) => `beacon/${id}/+`));
        } catch (error) {
            tags = [];
            tell(error);
        }
        drawSoon();
    }

    /** Gives this person another tag: a new owner of one that there is, or else a new one. */
    async function give() {
        fault.hidden = true;
        let all;
        try {
            all = await api.all("/api/v1/beacons?limit=500", "beacons");
        } catch (error) {
            tell(error);
            return;
        }
        const options = all.filter((tag) => !tag.station && !tag.room && tag.user !== user)
            .sort((a, b) => compare(a.title ?? a.id, b.title ?? b.id))
            .map((tag) => [tag.id, tag.user ?
                t("tags.option-carried", { tag: tag.title ?? tag.id, name: labelOf(site, tag.user) }) :
                t("tags.option-free", { tag: tag.title ?? tag.id })]);
        if (options.length === 0) {
            add();
            return;
        }
        const form = makeForm({
            go: t("tags.give-go"),
            fields: [{ name: "tag", label: t("tags.tag"), kind: "choice", options, isNeeded: true },
                { name: "until", label: t("tags.until"), kind: "date", hint: t("tags.until-hint") }],
            send: ({ tag, until }) => change(all.find(({ id }) => id === tag), user, until, dialog),
        });
        const other = makeButton(t("tags.add"), () => {
            dialog.close();
            add();
        }, "quiet");
        const dialog = openDialog(t("tags.give"), form,
            make("div", "buttons", other, closeButton(t("form.cancel"))));
    }

    function add() {
        openAddTag(tools, { user, done: load });
    }

    function tell(error) {
        if (!(error instanceof Refusal)) throw error;
        setText(fault, refusalWords(error)[0]);
        fault.hidden = false;
    }

    /** Hands a tag of this person over to somebody else, or takes it back. */
    function handOver(tag) {
        const people = peopleByLabel(site).filter(([, one]) => one !== user).map(([label, one]) => [one, label]);
        const form = makeForm({
            go: t("tags.hand-over-go"),
            fields: [{
                name: "user", label: t("tags.to"), kind: "choice", isNeeded: true,
                options: [["", t("tags.to-choose")], [NOBODY, t("tags.to-nobody")], ...people],
            },
                { name: "until", label: t("tags.until"), kind: "date", hint: t("tags.until-hint") }],
            send: ({ user: next, until }) => change(tag, next === NOBODY ? "" : next, until, dialog),
        });
        const dialog = openDialog(
            t("tags.hand-over", { tag: tag.title ?? tag.id }), form, closeButton(t("form.cancel")));
    }

    async function change({ id, user: before }, next, until, dialog) {
        const { data, etag } = await api.ask("GET", `/api/v1/beacons/${id}`);
        // Whoever was quicker is not overwritten unseen.
        if ((data.user ?? "") !== (before ?? "")) {
            await load();
            throw new Refusal("precondition_failed", "", 412);
        }
        const body = { user: next === "" ? null : next };
        if (until !== "" && next !== "") body.until = until;
        else if (data.until) body.until = null;
        await api.ask("PATCH", `/api/v1/beacons/${id}`, { body, ifMatch: etag });
        dialog.close();
        await load();
    }

    return {
        element,
        draw(now) {
            if (tags === null) {
                tags = [];
                load();
            }
            empty.hidden = tags.length > 0 || !fault.hidden;
            showList(list, tags, ({ id }) => id, (tag) => {
                const button = makeButton(t("tags.hand-over-short"), () => handOver(tag), "ask");
                button.hidden = !mayWrite;
                return make("li", "entry", make("span"), button);
            }, (line, tag) => {
                line.dataset.beacon = tag.id;
                setSentence(line.firstElementChild, tagWords(tag, tools, now));
                const label = t("tags.hand-over", { tag: tag.title ?? tag.id });
                if (line.lastElementChild.getAttribute("aria-label") !== label) {
                    line.lastElementChild.setAttribute("aria-label", label);
                }
            });
        },
    };
}

function tagWords(tag, { site, session, time }, now) {
    const state = site.payload("beacon", tag.id, "state");
    const strongest = state?.nodes?.[0];
    const name = { name: tag.title ?? tag.id };
    const silence = strongest ? now - state.t_ms + strongest.age_ms : null;
    // Members are not told who hears what.
    const words = !session.may("live") ? [name] : silence === null ? sentence("tags.silent", { tag: name }) :
        silence > STALE_MS.beacon ? sentence("tags.heard-ago", { tag: name, age: age(silence) }) :
            sentence("tags.heard", { tag: name, node: { name: site.nameOf("nodes", strongest.node) } });
    const until = tag.until ? [" ", t("tags.ends", { until: time.longDay(time.date(Date.parse(tag.until) - 1)) })] : [];
    return [...words, ...until];
}
