import { Refusal } from "../data/api.js";
import { make, makeLink, setText, showList } from "../kit/element.js";
import { fieldOf, listsOf, memberLabel, saidOf, sentOf, shownIn } from "../kit/fields.js";
import { closeButton, makeButton, makeForm, makeSearch, openDialog, refusalWords } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { freeSlug, pseudonym } from "../kit/slug.js";
import { makeStored } from "../kit/stored.js";
import { compare, has, sentence, t } from "../words/words.js";
import { say } from "../kit/box.js";
import { openAddMany } from "./add-many.js";
import { makeCardPicture } from "./card-picture.js";

/** So many are shown until somebody searches or asks for all. */
const FEW = 50;
/** So many of its members are told of each. */
const TOLD = 4;

/**
 * A list of the site: search, add, change, retire. What can be done, and each field of its forms, is what the site
 * declares.
 */
export default function setupList(main, tools) {
    const { api, params, drawSoon, announce } = tools;
    const { list } = params;
    const address = `/api/v1/${list}`;
    /** What may be asked about this list, by method and place. */
    let asked = null;
    let isLoaded = false;
    let all = [];
    /** What members name: by list, labels by id. */
    let named = new Map();
    let showsAll = false;
    let retired = null;
    let wanted = decodeURIComponent(location.hash.slice(1));
    /** What the address gives to a new row, such as `?beacon=tag-1`. */
    let given = Object.fromEntries(new URLSearchParams(location.search));

    const search = makeSearch(t("setup.search"), drawSoon);
    const entries = make("ul", "entries");
    entries.id = "setup-rows";
    const empty = make("p", "empty-list");
    const more = makeButton("", () => {
        showsAll = true;
        drawSoon();
    }, "quiet");
    const add = makeButton(t("setup.add"), () => open(null), "go");
    add.id = "add-row";
    const starter = makeButton("", addStarter, "quiet");
    starter.id = "add-starter";
    const many = makeButton(t("add-many.title"), () => openAddMany(tools, { done: addedMany }), "quiet");
    many.id = "add-many";
    for (const button of [add, starter, many]) button.hidden = true;
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const undo = make("p", "setup-undo");
    undo.hidden = true;
    const back = makeLink("/setup", t("setup.back"));

    const part = makePart(async () => {
        if (asked === null) {
            const { operations } = await api.get("/api/v1/operations");
            asked = new Map(operations.filter(({ path }) => path.startsWith(address))
                .map((one) => [`${one.method} ${one.path.slice(address.length)}`, one]));
        }
        if (!isList()) {
            isLoaded = true;
            return drawSoon();
        }
        const others = listsOf(members("PATCH /{id}").concat(members("POST ")));
        const [rows, ...labels] = await Promise.all([
            api.all(`${address}?limit=500`, list),
            ...others.map((other) => api.all(`/api/v1/${other}?limit=500`, other)),
        ]);
        [all, isLoaded] = [rows, true];
        named = new Map(others.map((other, index) =>
            [other, new Map(labels[index].map((row) => [row.id, labelOf(row)]))]));
        drawSoon();
        openNamed();
    });
    if (has(`setup.list.${list}`)) {
        const title = t(`setup.list.${list}`);
        setText(main.querySelector("h1"), title);
        document.title = `${title} · ${document.title}`;
    }
    main.append(make("p", "", back), make("div", "buttons", add, starter, many), fault, undo, search.element, part.element,
        entries, more, empty);
    part.load();

    /** Opens the row that the address names, once. */
    function openNamed() {
        const row = all.find(({ id }) => id === wanted);
        wanted = null;
        if (row !== undefined && asked.has("PATCH /{id}")) open(row);
        const isGiven = Object.keys(given).length > 0;
        if (row === undefined && isGiven && asked.has("POST ")) open(null);
        given = {};
    }

    /** Whether it is a list of the site, and may be read. */
    function isList() {
        return has(`setup.list.${list}`) && asked.has("GET ");
    }

    function members(key) {
        return (asked.get(key)?.members ?? []).filter(({ name }) => name !== "id");
    }

    /** Its member that people call one by. */
    function label() {
        return members("POST ").find(({ name }) => name === "name" || name === "title")?.name ?? "name";
    }

    function open(row) {
        const declared = members(row === null ? "POST " : "PATCH /{id}");
        const fields = declared.map((member) => row !== null ? fieldOf(member, named) :
            withPreset(member, fieldOf(member, named))).filter((field) => field !== null)
            .map((field) => row === null && Object.hasOwn(given, field.name) ? { ...field, value: given[field.name] } : field)
            .map((field) => has(`member.${list}.${field.name}`) ? { ...field, label: t(`member.${list}.${field.name}`) } : field)
            // An id is made of it, and nobody finds a thing that is called like its id.
            .map((field) => field.name === label() ? { ...field, isNeeded: true, least: 1 } : field);
        const stored = row === null ? null : makeStored(api, `${address}/${row.id}`);
        // The same at each try: what is sent again is the same.
        const free = () => pseudonym((id) => all.some((one) => one.id === id));
        let person = free();
        const form = makeForm({
            go: row === null ? t("setup.add-go") : t("setup.save"), fields,
            send: async (values, key) => {
                if (row === null) await create(declared, values, key);
                else await stored.change(form, declared, values, named);
                dialog.close();
                await saved(values[label()]);
            },
        });

        async function create(declared, values, key) {
            const body = {};
            for (const member of declared) {
                const value = values[member.name] === undefined ? null : sentOf(member, values[member.name]);
                if (value !== null) body[member.name] = value;
                // What somebody emptied is never done, not as usual.
                else if (member.nullable && member.preset !== undefined) body[member.name] = null;
            }
            const isTaken = (id) => all.some((one) => one.id === id);
            body.id = list === "users" ? person : freeSlug(values[label()], list.slice(0, -1), isTaken);
            try {
                await api.ask("POST", address, { body, key });
            } catch (error) {
                // Whoever was quicker has its id: the next try takes another.
                if (error instanceof Refusal && error.code === "already_exists") {
                    await part.load();
                    person = free();
                }
                throw error;
            }
        }

        const buttons = make("div", "buttons");
        if (row !== null && asked.has("DELETE /{id}")) {
            buttons.append(makeButton(t("setup.retire"), async () => {
                try {
                    if (stored.row === null) await stored.read();
                    await retire(stored.row, stored.tag);
                    dialog.close();
                } catch (error) {
                    if (!(error instanceof Refusal)) throw error;
                    form.tell(...[refusalWords(error)[0], null, refusalWords(error)[1]]);
                }
            }, "quiet danger"));
        }
        buttons.append(closeButton(t("form.cancel")));
        const title = row === null ? [t(`setup.add.${list}`)] : sentence("setup.change", { name: { name: labelOf(row) } });
        const picture = list === "cards" ? [makeCardPicture(tools, form)] : [];
        const dialog = openDialog(say("span", title), ...picture, form, buttons);
        if (row === null) return;
        stored.read().then(() => stored.show(form, declared)).catch((error) => {
            if (!(error instanceof Refusal)) throw error;
            form.tell(...[refusalWords(error)[0], null, refusalWords(error)[1]]);
        });
    }

    async function saved(name) {
        fault.hidden = true;
        await part.load();
        announce?.(t("setup.saved", { name }));
    }

    async function retire(row, tag) {
        await api.ask("DELETE", `${address}/${row.id}`, { ifMatch: tag });
        retired = row;
        const rest = `setup.not-back.${list}`;
        undo.replaceChildren(say("span", sentence("setup.retired", { name: { name: labelOf(row) } })), " ",
            makeButton(t("setup.undo"), putBack, "quiet"), " ", make("span", "detail", has(rest) ? t(rest) : ""));
        undo.hidden = false;
        await part.load();
    }

    /** Many were added: as one they can go again. */
    async function addedMany(added) {
        undo.replaceChildren(t("add-many.done", { n: added.users.length }), " ", makeButton(t("setup.undo"), async () => {
            undo.hidden = await attempt(() => api.ask("POST", "/api/v1/people/retire", { body: added }));
            await part.load();
        }, "quiet"));
        undo.hidden = false;
        await part.load();
    }

    async function putBack() {
        const { id, ...body } = retired;
        undo.hidden = await attempt(() => api.ask("PUT", `${address}/${id}`, { body }));
        await part.load();
    }

    async function addStarter() {
        await attempt(() => api.ask("POST", `${address}/starter`, { body: {} }));
        await part.load();
    }

    async function attempt(act) {
        try {
            await act();
            fault.hidden = true;
            return true;
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(fault, refusalWords(error).filter(Boolean).join(" "));
            fault.hidden = false;
            return false;
        }
    }

    /** `Main hall · 2 slots`: what it is, by its first members. */
    function told(row) {
        return members("POST ").filter(({ name }) => name !== label())
            .map((member) => ({ member, text: saidOf(member, row[member.name], named) }))
            .filter(({ text }) => text !== null && text !== "")
            // Whose and where it is says more than what it is recognised by, and a phone shows one line.
            .sort((a, b) => Number(a.member.of === undefined) - Number(b.member.of === undefined)).slice(0, TOLD)
            .map(({ member, text }) => member.of !== undefined || member.words !== undefined ? text : `${memberLabel(member.name)}: ${text}`)
            .join(" · ");
    }

    return {
        draw() {
            if (!isLoaded) return;
            add.hidden = !isList() || !asked.has("POST ");
            starter.hidden = !asked.has("POST /starter");
            if (!starter.hidden) setText(starter, t(`setup.starter.${list}`));
            many.hidden = list !== "users" || add.hidden;
            search.element.hidden = all.length < 8;
            const found = all.map((row) => ({ row, name: labelOf(row) }))
                .filter(({ row, name }) => search.finds(name) || search.finds(row.id))
                .sort((a, b) => compare(a.name, b.name));
            const shown = showsAll || !search.isEmpty() ? found : found.slice(0, FEW);
            more.hidden = shown.length === found.length;
            setText(more, t("setup.all", { n: found.length }));
            empty.hidden = found.length > 0;
            setText(empty, !isList() ? t("setup.no-list") : all.length > 0 ? t("live.not-found") : t(`setup.next.${list}`));
            showList(entries, shown, ({ row }) => row.id, ({ row }) => {
                const button = makeButton("", () => open(all.find(({ id }) => id === row.id)), "setup-line");
                button.append(make("b"), make("span", "detail"));
                return make("li", "", button);
            }, (line, { row, name }) => {
                const button = line.firstElementChild;
                button.dataset.row = row.id;
                setText(button.children[0], name);
                setText(button.children[1], told(row));
            });
        },
    };
}

/** A field of something new, in which stands what it is where nothing is said. */
function withPreset(member, field) {
    return field === null || member.preset === undefined ? field : { ...field, value: shownIn(member, member.preset) };
}

function labelOf(row) {
    return row.name ?? row.title ?? row.id;
}
