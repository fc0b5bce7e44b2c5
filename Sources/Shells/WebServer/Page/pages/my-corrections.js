import { Refusal } from "../data/api.js";
import { make, makeRow, makeTable, setCell, setData, setSentence, setText, showList } from "../kit/element.js";
import { makeButton, makeForm, openDialog } from "../kit/form.js";
import { addDays, sentence, t } from "../words/words.js";
import { makePart } from "./my-part.js";
import { sessionsOf } from "./my-visits.js";

/** How many corrections are shown at first. */
const FIRST = 3;

/**
 * What somebody asked to have corrected, and the forms to ask for more.
 *
 * @returns {{ children: Element[], load: () => Promise<void>, ask: (session: object) => void,
 *     askMissing: (date: string) => void, draw: (now: number) => void }}
 */
export function makeCorrections(tools) {
    const { api, clock, session, time, announce, drawSoon } = tools;
    const list = make("ul", "visits corrections");
    list.setAttribute("aria-label", t("me.corrections"));
    const none = make("p", "detail", t("me.no-corrections"));
    none.hidden = true;
    const more = makeButton("", () => {
        isWhole = true;
        drawSoon();
    }, "quiet");
    more.hidden = true;
    let isWhole = false;
    let found = null;
    const part = makePart(async () => {
        found = await api.get(`/api/v1/attendance/corrections?user=${encodeURIComponent(session.user)}`);
        drawSoon();
    });

    const done = () => {
        announce(t("me.asked"));
        part.load();
    };

    return {
        children: [part.element, list, none, more],
        load: part.load,
        ask: (one) => openForm(tools, one, time.date(one.in_ms), done),
        askMissing: (date) => openForm(tools, null, date || time.date(clock.now() ?? 0), done),
        draw(now) {
            if (found === null) return;
            none.hidden = found.length > 0;
            more.hidden = isWhole || found.length <= FIRST;
            setText(more, t("me.all-corrections", { n: found.length }));
            showList(list, isWhole ? found : found.slice(0, FIRST), ({ id }) => String(id), () => make("li", "",
                make("div", "words", make("span", "times"), make("span", "check"), make("span", "check")),
                make("span", "pill")), (item, one) => {
                const [what, reason, decision] = item.firstElementChild.children;
                setData(item, { correction: one.id });
                setText(what, changeWords(one, now, time));
                setSentence(reason, sentence("me.reason-was", { reason: { name: one.reason } }));
                decision.hidden = !one.decision_reason;
                setSentence(decision, sentence("me.decision-was", { reason: { name: one.decision_reason ?? "" } }));
                setData(item.children[1], { state: one.state });
                setText(item.children[1], t(`me.correction.${one.state}`));
            });
        },
    };
}

/** `27 Nov: 14:03 to 15:10, instead of 14:03 to 19:00`. */
function changeWords(one, now, time) {
    const span = (from, to) => from === undefined ? t("me.nothing") : to === undefined ?
        t("me.since", { from: time.short(from, now) }) :
        t("me.span", {
            from: time.short(from, now), to: time.date(from) === time.date(to) ? time.clock(to) : time.short(to, now),
        });
    const [old, next] = [span(one.old_from_ms, one.old_to_ms), span(one.new_from_ms, one.new_to_ms)];
    return {
        times: () => t("me.change.times", { old, next }),
        add: () => t("me.change.add", { next }),
        remove: () => t("me.change.remove", { old }),
        reviewed: () => t("me.change.reviewed", { old }),
    }[one.change]();
}

/** A form in a box: what is wrong about a session, or, of `null`, that one is missing on a day. */
function openForm({ api, clock, session, time }, given, date, done) {
    let one = given;
    const [in0, out0] = [clockOf(one?.in_ms ?? null, time), clockOf(one?.out_ms ?? null, time)];
    const theirs = make("div");
    const read = (values) => {
        const from = values.from === in0 && values.date === date && given !== null ? given.in_ms :
            time.moment(values.date, values.from);
        if (values.to === "") return { from, to: null };
        const next = values.to < values.from ? addDays(values.date, 1) : values.date;
        const end = given?.out_ms ?? null;
        // What was not touched stays what it was, also more than a day later.
        const isSame = end !== null && values.to === out0 && values.date === date;
        return { from, to: isSame ? end : time.moment(next, values.to) };
    };
    const form = makeForm({
        go: t("me.ask"), cancel: () => dialog.close(),
        fields: [
            ...(one === null ? [] : [{ name: "change", label: t("me.what-is-wrong"), kind: "choice", value: "times",
                options: [["times", t("me.wrong-times")], ["remove", t("me.not-there")]] }]),
            { name: "date", label: t("me.day-of"), kind: "date", value: date, isNeeded: true },
            { name: "from", label: t("me.from"), kind: "time", value: in0, isNeeded: true },
            { name: "to", label: t("me.to"), kind: "time", value: out0,
                hint: one !== null && one.out_ms === null ? t("me.to-hint-open") : t("me.to-hint") },
            { name: "reason", label: t("me.reason"), kind: "lines", isNeeded: true, most: 500,
                hint: t("me.reason-hint") },
        ],
        check(values) {
            if (values.change === "remove") return null;
            const { from, to } = read(values);
            if (from === null) return ["from", t("code.nonexistent_time")];
            if (values.to === "") {
                return one !== null && one.out_ms === null ? null : ["to", t("form.needed", { label: t("me.to") })];
            }
            return to === null ? ["to", t("code.nonexistent_time")] : to === from ? ["to", t("me.no-time")] : null;
        },
        async send(values, key) {
            const { from, to } = read(values);
            const times = { from_ms: from, to_ms: to };
            const { reason } = values;
            const what = one === null ? { change: "add", user: session.user } :
                { change: values.change, session: one.id, rev: one.rev };
            const body = { ...what, ...(values.change === "remove" ? {} : times), reason };
            try {
                await api.ask("POST", "/api/v1/attendance/corrections", { body, key });
            } catch (error) {
                if (error instanceof Refusal && error.code === "rev_conflict" && one !== null) await compare(values);
                throw error;
            }
            dialog.close();
            done();
        },
    });
    /** Shows what somebody else made of the session beside what was typed, which may then be sent all the same. */
    async function compare(values) {
        const newest = (await sessionsOf(api, session.user, given.date, given.date)).find(({ id }) => id === given.id);
        const now = clock.now() ?? 0;
        const moment = (at) => at === null ? null : time.short(at, now);
        const { from, to } = read(values);
        const { box, rows } = makeTable(t("me.compare"), [t("me.which"), t("me.from"), t("me.to")], "");
        const lines = [[t("me.as-opened"), one.in_ms, one.out_ms],
            [t("me.as-now"), newest?.in_ms ?? null, newest?.out_ms ?? null],
            [t("me.as-typed"), ...(values.change === "remove" ? [null, null] : [from, to])]];
        rows.append(...lines.map(([which, start, end]) => {
            const row = makeRow([t("me.which"), t("me.from"), t("me.to")]);
            setText(row.children[0], which);
            setCell(row.children[1], moment(start));
            setCell(row.children[2], moment(end));
            return row;
        }));
        theirs.replaceChildren(box);
        if (newest) one = newest;
    }
    const change = form.field("change");
    change?.addEventListener("change", () => {
        for (const name of ["date", "from", "to"]) {
            form.field(name).closest(".field").hidden = change.value === "remove";
        }
    });
    const dialog = openDialog(t(one === null ? "me.missing" : "me.wrong"),
        make("p", "detail", t("me.correction-lead")), theirs, form);
    dialog.classList.add("small");
}

function clockOf(moment, time) {
    return moment === null ? "" : time.clock(moment);
}
