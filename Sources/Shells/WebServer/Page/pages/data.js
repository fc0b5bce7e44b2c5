import { Refusal } from "../data/api.js";
import { make, makeRow, makeTable, setCell, setText, showList } from "../kit/element.js";
import { writeRows } from "../kit/csv.js";
import { fieldOf, sentOf } from "../kit/fields.js";
import { fillChoice, makeButton, makeChoice, makeForm, makeSearch, refusalWords } from "../kit/form.js";
import { compare, number, t } from "../words/words.js";
import { PERIODS } from "./reports.js";

/** So many rows are shown until somebody asks for more. */
const STEP = 100;
/** What a page asks for by itself. */
const OWN = new Set(["limit", "cursor", "after", "fields", "sort", "q"]);

/** Every list that whoever looks may read, as it is stored: sorted, filtered, and as a file. Nothing can be changed here. */
export default function data(main, { api, session, time, drawSoon }) {
    let lists = [];
    let rows = null;
    /** Counts what was asked for: an answer to what somebody has left is of no use. */
    let turn = 0;
    let shown = STEP;
    let [sortedBy, isDown] = [null, false];
    const choice = makeChoice("data-list", t("data.list"), () => {
        location.hash = choice.input.value;
    });
    const search = makeSearch(t("data.filter"), drawSoon);
    const asking = make("div");
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const count = make("p", "detail");
    count.setAttribute("role", "status");
    const more = makeButton(t("data.more"), () => {
        shown += STEP;
        drawSoon();
    }, "quiet");
    const files = make("div", "buttons", makeButton(t("data.csv"), () => save("csv"), "quiet"),
        makeButton(t("data.json"), () => save("json"), "quiet"));
    const place = make("div", "wide-rows");
    main.append(make("p", "detail", t("data.lead")), choice.element, asking, fault, search.element, count, files, place, more);
    window.addEventListener("hashchange", open);
    load();

    async function load() {
        try {
            const { operations } = await api.get("/api/v1/operations");
            lists = operations.filter(({ method, path, rows }) => method === "GET" && rows !== undefined && !path.includes("{"))
                .concat(session.may("reports") ? reports() : []).map((one) => ({ ...one, title: titleOf(one) })).sort((a, b) => compare(a.title, b.title));
            fillChoice(choice.input, lists.map(({ name, title }) => [name, title]));
            open();
        } catch (error) {
            tell(error);
        }
    }

    /** Shows the list that the address names, or the first. */
    function open() {
        const list = lists.find(({ name }) => name === location.hash.slice(1)) ?? lists[0];
        if (list === undefined) return;
        choice.input.value = list.name;
        [rows, shown, sortedBy, isDown] = [null, STEP, null, false];
        turn += 1;
        const asked = list.members.filter(({ name }) => !OWN.has(name));
        const fields = asked.map((member) => fieldOf({ ...member, of: undefined,
            form: member.form === "reference" ? "text" : member.form }, new Map())).filter((field) => field !== null);
        const form = makeForm({
            fields, go: t("data.ask"), isFilter: true,
            send: (values) => fetchRows(list, Object.fromEntries(asked.flatMap((member) => {
                const value = values[member.name] === undefined ? null : sentOf(member, values[member.name]);
                return value === null || value === false ? [] : [[member.name, String(value)]];
            }))),
        });
        asking.replaceChildren(...(fields.length > 0 ? [make("details", "fold", make("summary", "", t("data.narrow")),
            make("div", "fold-content", form))] : []));
        if (asked.some(({ needed }) => needed)) {
            asking.firstElementChild.open = true;
            drawSoon();
        } else {
            fetchRows(list, {}).catch(tell);
        }
    }

    async function fetchRows(list, values) {
        const own = turn += 1;
        fault.hidden = true;
        setText(count, t("form.loading"));
        const found = [];
        let cursor = null;
        const next = ["cursor", "after"].find((one) => list.members.some(({ name }) => name === one));
        do {
            const query = new URLSearchParams({ ...values, ...(next === undefined ? {} : { limit: "500" }),
                ...(cursor === null ? {} : { [next]: String(cursor) }) });
            const answer = await api.get(`${list.path}${query.size > 0 ? `?${query}` : ""}`).catch((error) => {
                if (own === turn) throw error;
                return null;
            });
            if (own !== turn) return;
            found.push(...(list.rows === "" ? answer : answer[list.rows]));
            cursor = answer.next ?? null;
            setText(count, t("data.count", { n: found.length }));
        } while (cursor !== null);
        rows = found;
        makeHead();
        drawSoon();
    }

    let table = null;
    let columns = [];

    function makeHead() {
        columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
        table = makeTable(titleOf(lists.find(({ name }) => name === choice.input.value)), columns, t("data.none"));
        table.rows.id = "data-rows";
        for (const [index, head] of [...table.box.querySelectorAll("thead th")].entries()) {
            const column = columns[index];
            const button = makeButton(column, () => {
                [sortedBy, isDown] = [column, sortedBy === column && !isDown];
                drawSoon();
            }, "quiet");
            head.replaceChildren(button);
        }
        place.replaceChildren(table.box);
    }

    /** The rows that hold what is looked for, in the order that was asked for. */
    function wanted() {
        const found = search.isEmpty() ? [...rows] : rows.filter((row) => search.finds(Object.values(row).map(plain).join(" ")));
        if (sortedBy === null) return found;
        const by = (row) => row[sortedBy] ?? "";
        found.sort((a, b) => typeof by(a) === "number" && typeof by(b) === "number" ? by(a) - by(b) :
            compare(plain(by(a)), plain(by(b))));
        return isDown ? found.reverse() : found;
    }

    function save(kind) {
        if (rows === null) return;
        const all = wanted();
        const text = kind === "json" ? JSON.stringify(all, null, 1) :
            writeRows([columns, ...all.map((row) => columns.map((column) => plain(row[column])))]);
        const link = make("a");
        link.href = URL.createObjectURL(new Blob([text], { type: kind === "json" ? "application/json" : "text/csv" }));
        link.download = `${choice.input.value}.${kind}`;
        link.click();
        URL.revokeObjectURL(link.href);
    }

    function tell(error) {
        if (!(error instanceof Refusal)) throw error;
        setText(fault, refusalWords(error).filter(Boolean).join(" "));
        fault.hidden = false;
        setText(count, "");
    }

    return {
        draw(now) {
            const isThere = rows !== null;
            files.hidden = !isThere;
            search.element.hidden = !isThere;
            more.hidden = true;
            if (!isThere || table === null) {
                place.replaceChildren();
                return;
            }
            const all = wanted();
            setText(count, t("data.count", { n: all.length }));
            for (const [index, head] of [...table.box.querySelectorAll("thead th")].entries()) {
                const isIt = columns[index] === sortedBy;
                head.setAttribute("aria-sort", isIt ? isDown ? "descending" : "ascending" : "none");
            }
            const few = all.slice(0, shown);
            more.hidden = few.length === all.length;
            const places = new Map(few.map((row, index) => [row, String(index)]));
            showList(table.rows, few, (row) => places.get(row), () => makeRow(columns), (line, row) => {
                for (const [index, column] of columns.entries()) {
                    const value = row[column];
                    setCell(line.children[index], value === undefined || value === null ? null :
                        column.endsWith("_ms") && typeof value === "number" ? time.short(value, now) :
                            typeof value === "number" ? number(value) : plain(value));
                }
            });
        },
    };
}

/** Reports as lists; one that is about two moments needs a page of its own. */
function reports() {
    const days = ["from", "to"].map((name) => ({ name, form: "date" }));
    return [...PERIODS].filter(([, period]) => period !== "moments").map(([report, period]) => ({
        name: `report-${report}`, path: `/api/v1/reports/${report}.json`, rows: "rows", members: period === "now" ? [] : days,
    }));
}

function titleOf({ path }) {
    return path.replace("/api/v1/", "").replace(".json", "");
}

/** A value in one line. */
function plain(value) {
    return value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}
