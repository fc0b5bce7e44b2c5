import { keep, kept } from "../data/kept.js";
import { make, makeLink, setData, setText, showList } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { number, t } from "../words/words.js";
import { openAddPerson } from "./add-person.js";
import { listeningOf } from "./nodes.js";
import { openStarter } from "./starter.js";

/** What a site is made of, in the order in which it is set up. */
const LISTS = ["rooms", "stations", "exercises", "nodes", "beacons", "users", "groups", "cards", "device-types", "device-rules"];
/** Those of which a page is not sent how many there are. */
const UNCOUNTED = new Set(["groups", "cards", "device-types", "device-rules"]);

/**
 * Where an owner sets up the site: the next step of a site that is not ready yet, each checked as it comes true; and each
 * list.
 */
export default function setup(main, tools) {
    const { site, session, drawSoon } = tools;
    const count = (kind) => site.listed(kind).length;
    let box = null;
    const addPerson = () => {
        box = openAddPerson(tools);
    };
    /** Each with whether it is done, and what does it. */
    const steps = [
        { name: "site", isDone: () => site.name !== "" && site.name !== site.id, act: () => "/settings#site" },
        { name: "rooms", isDone: () => count("stations") > 0, act: () => () => openStarter(tools) },
        { name: "exercises", isDone: () => count("exercises") > 0, act: () => "/setup/exercises" },
        { name: "nodes", isDone: () => count("nodes") > 0, act: () => "/setup/nodes" },
        { name: "heard", isDone: (now) => listeningOf(site, now).listening > 0, act: () => "/nodes" },
        ...(session.may("people.write") ? [
            { name: "users", isDone: () => count("users") > 0 && count("beacons") > 0, act: () => addPerson },
        ] : []),
        { name: "bench", isDone: () => site.listed("users").some((user) =>
            (site.payload("user", user, "presence")?.station ?? null) !== null), act: () => "/" },
    ];
    /** Which steps are left out. */
    const skipped = new Set(kept("setup-skipped"));
    /** What was done once on this page stays so: who left the bench was there. */
    const seen = new Set();

    const progress = make("h2");
    const lines = make("ol", "first-steps");
    const guide = make("section", "panel", progress, lines);
    guide.id = "first-run";
    const list = make("ul", "entries");
    const person = makeButton(t("add-person.title"), addPerson, "go");
    person.id = "add-person";
    main.append(guide, make("p", "detail", t("setup.lead")), make("div", "buttons",
        ...(session.may("people.write") ? [person] : []),
        Object.assign(makeLink("/settings", t("settings.link")), { className: "button" }),
        Object.assign(makeLink("/setup/plan", t("plan-editor.link")), { className: "button" }),
        Object.assign(makeLink("/data", t("page.data")), { className: "button" })), list);

    function skip(name) {
        skipped.add(name);
        keep("setup-skipped", [...skipped]);
        drawSoon();
    }

    function makeStep({ name, act }) {
        const target = act();
        const go = typeof target === "string" ? makeLink(target, t(`setup.step-go.${name}`)) :
            makeButton(t(`setup.step-go.${name}`), target);
        go.className = "button go";
        return make("li", "", make("b", "", t(`setup.step.${name}`)), make("p", "detail", t(`setup.step-lead.${name}`)),
            make("div", "buttons", go, makeButton(t("setup.skip"), () => skip(name), "quiet")));
    }

    return {
        draw(now) {
            box?.draw(now);
            for (const { name, isDone } of steps) if (isDone(now)) seen.add(name);
            const open = steps.filter(({ name }) => !seen.has(name) && !skipped.has(name));
            guide.hidden = open.length === 0;
            setText(progress, t("setup.progress", { n: seen.size, all: steps.length }));
            showList(lines, steps, ({ name }) => name, makeStep, (line, { name }) => {
                const state = seen.has(name) ? "done" : skipped.has(name) ? "skipped" :
                    open[0]?.name === name ? "next" : "open";
                setData(line, { step: name, state });
                line.lastElementChild.hidden = state !== "next";
                line.children[1].hidden = state !== "next";
            });
            showList(list, LISTS, (name) => name, (name) => {
                const link = makeLink(`/setup/${name}`, make("b", "", t(`setup.list.${name}`)), make("span", "detail"));
                link.className = "setup-line";
                return make("li", "", link);
            }, (line, name) => setText(line.firstElementChild.lastElementChild,
                UNCOUNTED.has(name) ? t(`setup.about.${name}`) :
                    count(name) === 0 ? t(`setup.next.${name}`) : number(count(name))));
        },
    };
}
