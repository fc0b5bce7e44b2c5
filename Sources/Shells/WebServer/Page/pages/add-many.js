import { Refusal, newKey } from "../data/api.js";
import { openForm } from "../kit/box.js";
import { readRows, textOf } from "../kit/csv.js";
import { make, setText } from "../kit/element.js";
import { closeButton, makeButton, openDialog, refusalWords } from "../kit/form.js";
import { LONGEST_NAME } from "../kit/rename.js";
import { freeSlug, pseudonym } from "../kit/slug.js";
import { t } from "../words/words.js";

/** What columns may be called; the first of a member is the one of the example. */
const COLUMNS = {
    name: ["name", "person", "title", "vorname und name"],
    tag: ["tag", "beacon", "identity", "address", "adresse"],
    until: ["until", "bis"],
};
/** So many lines are shown before it is done. */
const SHOWN = 12;
/** The largest list, in characters. */
const LARGEST = 2_000_000;
const MOST = 10_000;

/**
 * Adds people and their tags from a list: it says first what it would do and what it leaves out; it is done as a whole or
 * not at all.
 *
 * @param {{ done: (added: { users: string[], beacons: string[] }) => void }} options
 */
export function openAddMany(tools, { done }) {
    const form = openForm(t("add-many.title"), t("add-many.lead"), {
        go: t("add-many.show"),
        fields: [
            { name: "list", label: t("add-many.list"), kind: "lines", hint: t("add-many.hint") },
            { name: "file", label: t("add-many.file"), kind: "file" },
        ],
        send: async ({ list }) => {
            const file = form.field("file").files[0];
            const text = file === undefined ? list : file.size > LARGEST * 4 ? null :
                textOf(await file.arrayBuffer());
            if (text === null || text.length > LARGEST) throw new Refusal("too_large", t("add-many.too-large"), 413);
            const plan = planOf(text, tools.site);
            if (plan.people.length === 0) throw new Refusal("schema", plan.out[0]?.why ?? t("add-many.nothing"), 422);
            show(tools, plan, done);
        },
    });
    form.field("file").accept = ".csv,.txt,text/csv,text/plain";
}

/** What a list would do: people with their tags, and the lines that are left out, each with why. */
function planOf(text, site) {
    const rows = readRows(text);
    const names = rows[0]?.values.map((one) => one.toLocaleLowerCase()) ?? [];
    const columnOf = (member) => names.findIndex((name) => COLUMNS[member].includes(name));
    const hasHeader = columnOf("name") >= 0;
    const place = hasHeader ? { name: columnOf("name"), tag: columnOf("tag"), until: columnOf("until") } :
        { name: 0, tag: 1, until: 2 };
    const plan = { people: [], out: [] };
    const [ids, tags, seen] = [new Set(), new Set(), new Map()];
    const known = new Set(site.listed("users").map((user) => site.nameOf("users", user)));
    for (const { line, values } of rows.slice(hasHeader ? 1 : 0)) {
        const [name, tag, until] = [place.name, place.tag, place.until].map((index) => values[index] ?? "");
        const key = tag.toLowerCase().replaceAll(/[^0-9a-z]/g, "").replace(/^mac/, "");
        const why = name === "" ? t("add-many.no-name") : [...name].length > LONGEST_NAME ? t("add-many.long") :
            plan.people.length >= MOST ? t("add-many.too-many", { n: MOST }) :
                key !== "" && seen.has(key) ? t("add-many.twice", { line: seen.get(key) }) : null;
        if (why !== null) {
            plan.out.push({ line, name, why });
            continue;
        }
        if (key !== "") seen.set(key, line);
        const id = pseudonym((one) => ids.has(one) || site.isNamed("users", one));
        ids.add(id);
        const beacon = tag === "" ? null : freeSlug(name, "tag", (one) => tags.has(one) || site.isNamed("beacons", one));
        if (beacon !== null) tags.add(beacon);
        plan.people.push({ line, id, name, tag, until, beacon, isKnown: known.has(name) });
    }
    return plan;
}

/** Says what would be done, and does it. */
function show({ api }, { people, out }, done) {
    const tagged = people.filter(({ beacon }) => beacon !== null);
    const doubles = people.filter(({ isKnown }) => isKnown);
    const list = make("ul", "plain", ...people.slice(0, SHOWN).map(({ name, tag, isKnown }) => make("li", "",
        make("bdi", "", name), " ", make("span", "detail", [tag, isKnown ? t("add-many.known") : ""].filter(Boolean).join(" · ")))));
    const left = make("ul", "plain", ...out.slice(0, SHOWN).map(({ line, name, why }) =>
        make("li", "fault", t("add-many.line", { line }), " ", make("bdi", "", name), " ", why)));
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const go = makeButton(t("add-many.go", { n: people.length }), act, "go");
    const dialog = openDialog(t("add-many.preview"),
        make("p", "", t("add-many.counts", { n: people.length, tags: tagged.length })),
        ...(doubles.length > 0 ? [make("p", "detail", t("add-many.doubles", { n: doubles.length }))] : []), list,
        ...(people.length > SHOWN ? [make("p", "detail", t("add-many.more", { n: people.length - SHOWN }))] : []),
        ...(out.length > 0 ? [make("p", "fault", t("add-many.left-out", { n: out.length })), left] : []), fault,
        make("div", "buttons", go, closeButton(t("form.cancel"))));

    // What is sent again because its answer was lost is done once.
    let key = newKey();

    async function act() {
        go.disabled = true;
        fault.hidden = true;
        const body = {
            users: people.map(({ id, name }) => ({ id, name })),
            beacons: tagged.map(({ id, name, tag, until, beacon }) => ({
                id: beacon, title: t("add-person.tag-of", { name }), identity: tag, user: id,
                ...(until === "" ? {} : { until }),
            })),
        };
        try {
            await api.ask("POST", "/api/v1/people", { body, key });
            dialog.close();
            done({ users: body.users.map(({ id }) => id), beacons: body.beacons.map(({ id }) => id) });
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(fault, refusalWords(error).filter(Boolean).join(" ")
                .replaceAll(/(users|beacons)\[(\d+)\]:/g, (_, kind, index) => t("add-many.line", {
                    line: (kind === "users" ? people : tagged)[index]?.line ?? "?",
                })));
            fault.hidden = false;
            go.disabled = false;
            if (error.status >= 400 && error.status < 500) key = newKey();
        }
    }
}
