import { Refusal } from "../data/api.js";
import { make, setSentence, setText } from "../kit/element.js";
import { makeButton, makeForm } from "../kit/form.js";
import { NONE, addDays, hours, sentence, t } from "../words/words.js";

/** The longest reason of a correction, in characters. */
export const MOST_REASON = 500;

/** The usual reasons, by their words. */
const REASONS = ["no-tag", "no-check-out", "tag-left", "tag-empty", "not-heard"];

/** Whoever was there longer is asked to look again, in milliseconds. */
const LONG_MS = 16 * 3_600_000;
const DAY_MS = 24 * 3_600_000;

/** `14:03`, with its day before it if that is another than the one that is looked at. */
export function clockWords(time, date, moment) {
    const day = time.date(moment);
    return day === date ? time.clock(moment) : `${time.shortDay(day)}, ${time.clock(moment)}`;
}

/** `12:02 – 21:30`; without an end while it goes on, and a dash where there is nothing. */
export function spanWords(time, date, from, to) {
    if (from === null || from === undefined) return NONE;
    const end = to === null || to === undefined ? t("attendance.open") : clockWords(time, date, to);
    return `${clockWords(time, date, from)} – ${end}`;
}

/** Who did something: the name of an account; whatever else it was says itself what it is. */
export function whoWords(text = "") {
    return text.replace(/^account:/, "");
}

/** The lock in force, as the server keeps it; `null` if nothing is locked, or if they may not know. */
export async function loadLock(api, session) {
    if (!session.may("audit")) return null;
    let found = null;
    let after = 0;
    do {
        const answer = await api.get(`/api/v1/audit?entity=period_lock&limit=500&after=${after}`);
        found = answer.entries.at(-1)?.after ?? found;
        after = answer.next ?? null;
    } while (after !== null);
    return found === null ? null : JSON.parse(found);
}

/** Several times of one session beside one another: `[[label, from, to]]`. */
export function makeCompare(time, date, lines) {
    return make("dl", "compare", ...lines.map(([label, from, to]) =>
        make("div", "", make("dt", "", label), make("dd", "time", spanWords(time, date, from, to)))));
}

/**
 * What a typed time of day means.
 *
 * @param {TimeOfDay} time
 * @param {string} clock Such as `14:03`.
 * @param {string} day The first day it may be on; the next one if it is before `least`.
 * @param {number} least
 * @param {boolean} isSecond Whether the second is meant where the clocks show it twice.
 * @returns {{ moment: number | null, isTwice: boolean }} No moment where the clocks skip it.
 */
export function readClock(time, clock, day, least, isSecond = false) {
    for (const one of [day, addDays(day, 1)]) {
        const found = time.moment(one, clock);
        if (found === null) {
            // Of what is skipped, the next hour tells whether that day is meant at all.
            const near = time.moment(one, clock.replace(/^\d\d/, (hour) => String(Number(hour) + 1).padStart(2, "0")));
            if (near !== null && near < least) continue;
            return { moment: null, isTwice: false };
        }
        const [first, second = null] = bothOf(time, clock, found);
        const moment = second !== null && (isSecond || first < least) ? second : first;
        if (moment >= least) return { moment, isTwice: second !== null };
    }
    return { moment: null, isTwice: false };
}

/** The moments around one at which the clocks show the same: two where they were set back between. */
function bothOf(time, clock, moment) {
    const [half, whole] = [1_800_000, 3_600_000];
    return [-whole, -half, 0, half, whole].map((later) => moment + later)
        .filter((one) => time.clock(one) === clock);
}

/**
 * A form by which a session is corrected, withdrawn or found right, or one that is missing is added. Who may decide
 * may approve it at once.
 *
 * @param {{ api, session, time, clock?, date: string, from?: number, row: object | null, user: string, name: string,
 *     lock?: object | null, mayApprove?: boolean, onDone: (correction: object) => void, cancel: () => void }} options
 *     `mayApprove` is false where somebody asks for themselves, whatever else they may; `row` is a session as
 *     `GET /api/v1/attendance/sessions` has it, `null` for one that is missing; `date` its day, and `from` when that
 *     day begins; with `clock` it is said before sending that a time is in the future.
 * @returns {HTMLElement} With `form`, the form in it.
 */
export function makeCorrection(options) {
    const { api, session, time, clock, date, row, user, name, onDone, cancel } = options;
    const begin = options.from ?? time.moment(date, "00:00") ?? 0;
    const isOpen = row !== null && row.out_ms === null;
    const isLong = row !== null && (row.out_ms ?? clock?.now() ?? row.in_ms) - row.in_ms > DAY_MS;
    const typed = { in: row === null ? "" : time.clock(row.in_ms), out: row?.out_ms ? time.clock(row.out_ms) : "" };
    let rev = row?.rev;
    const mayApprove = options.mayApprove ?? session.may("decide");
    let isApproved = mayApprove;

    const note = make("p", "note");
    const preview = make("p", "preview");
    preview.setAttribute("aria-live", "polite");
    const theirs = make("div", "theirs");
    const changes = ["times", ...(row?.review?.length > 0 && mayApprove ? ["reviewed"] : []), "remove"];
    const form = makeForm({
        go: t(isApproved ? "attendance.ask-and-approve" : "attendance.ask"), className: "inline correction", cancel,
        fields: [
            ...(row === null ? [] : [{ name: "change", label: t("attendance.change"), kind: "choice", value: "times",
                options: changes.map((one) => [one, t(`attendance.change.${one}`)]) }]),
            { name: "in", label: t("attendance.column.in"), kind: "time", value: typed.in },
            ...(isLong ? [{ name: "day", label: t("attendance.out-day"), kind: "date",
                value: row.out_ms === null ? "" : time.date(row.out_ms), least: time.date(row.in_ms) }] : []),
            { name: "out", label: t(isOpen ? "attendance.out-if" : "attendance.column.out"), kind: "time",
                value: typed.out },
            { name: "inTwice", label: t("attendance.in-twice"), kind: "check", value: false },
            { name: "outTwice", label: t("attendance.out-twice"), kind: "check", value: false },
            { name: "reason", label: t("attendance.reason"), isNeeded: true, least: 1, most: MOST_REASON,
                options: REASONS.map((one) => t(`attendance.reason.${one}`)).map((text) => [text, text]) },
        ],
        check: (values) => wish(values).wrong,
        send,
    });
    const box = (field) => form.field(field)?.closest(".field");

    /** What is typed, as moments; `wrong` is a field and what is wrong with it. */
    function wish(values) {
        const change = row === null ? "add" : values.change;
        const none = { change, from: null, to: null, inTwice: false, outTwice: false, wrong: null };
        if (change !== "times" && change !== "add") return none;
        const wrong = (field, key, more = {}) => ({ ...none, wrong: [field, t(key, more)] });
        if (values.in === "") return wrong("in", "form.needed", { label: t("attendance.column.in") });
        // What nobody touched keeps its seconds.
        const isKept = row !== null && values.in === typed.in && !values.inTwice;
        const came = readClock(time, values.in, date, begin, values.inTwice);
        const from = isKept ? row.in_ms : came.moment;
        if (from === null) return wrong("in", "attendance.skipped", { time: values.in });
        const found = { ...none, from, inTwice: came.isTwice };
        if (values.out === "") {
            if (isOpen) return found;
            return { ...found, wrong: ["out", t("form.needed", { label: t("attendance.column.out") })] };
        }
        const isOutKept = row !== null && values.out === typed.out && !values.outTwice &&
            (values.day ?? "") === (isLong && row.out_ms !== null ? time.date(row.out_ms) : "");
        const day = values.day || time.date(from);
        const isDayTold = Boolean(values.day);
        const left = readClock(time, values.out, day, isDayTold ? -Infinity : from, values.outTwice);
        const to = isOutKept ? row.out_ms : left.moment;
        if (to === null) return { ...found, wrong: ["out", t("attendance.skipped", { time: values.out })] };
        const whole = { ...found, to, outTwice: left.isTwice };
        if (to <= from || !isDayTold && !isOutKept && values.out === time.clock(from)) {
            return { ...whole, wrong: ["out", t("attendance.out-before-in")] };
        }
        const now = clock?.now() ?? null;
        if (now !== null && from > now) return { ...whole, wrong: ["in", t("attendance.future")] };
        if (now !== null && to > now) return { ...whole, wrong: ["out", t("attendance.future")] };
        if (row !== null && from === row.in_ms && to === row.out_ms) {
            return { ...whole, wrong: ["in", t("attendance.unchanged")] };
        }
        return whole;
    }

    function values() {
        const read = (field) => form.field(field)?.value ?? undefined;
        return {
            change: read("change"), in: read("in"), out: read("out"), day: read("day"),
            inTwice: form.field("inTwice").checked, outTwice: form.field("outTwice").checked,
        };
    }

    function show() {
        const { change, from, to, inTwice, outTwice } = wish(values());
        const isTimed = change === "times" || change === "add";
        for (const field of ["in", "day", "out"]) if (box(field)) box(field).hidden = !isTimed;
        box("inTwice").hidden = !isTimed || !inTwice;
        box("outTwice").hidden = !isTimed || !outTwice;
        const old = row === null ? "" : spanWords(time, date, row.in_ms, row.out_ms);
        const next = isTimed ? spanWords(time, date, from, to) : t(`attendance.becomes.${change}`);
        const isKnown = !isTimed || from !== null && (to !== null || isOpen);
        preview.hidden = !isKnown;
        if (!isKnown) return;
        const length = isTimed && to !== null ? t("attendance.length", { time: hours((to - from) / 1000) }) : "";
        const look = isTimed && to !== null && to - from > LONG_MS ? ` ${t("attendance.look-again")}` : "";
        setText(preview, `${old === "" || old === next ? "" : `${old} → `}${next}${length}${look}`);
    }

    async function send(typedNow, key) {
        const { change, from, to } = wish(typedNow);
        const body = { change, reason: typedNow.reason };
        if (change === "add") {
            body.user = user;
        } else {
            body.session = row.id;
            if (rev !== undefined) body.rev = rev;
        }
        if (from !== null) Object.assign(body, { from_ms: from, to_ms: to });
        setText(note, "");
        try {
            const { data } = await api.ask("POST", "/api/v1/attendance/corrections", { body, key });
            if (!isApproved) return onDone(data);
            setText(note, t("attendance.asked-only"));
            const decided = await api.ask("POST", `/api/v1/attendance/corrections/${data.id}/decision`, {
                body: { approve: true, reason: typedNow.reason }, key: `${key}-decision`,
            });
            onDone(decided.data);
        } catch (error) {
            if (error instanceof Refusal) await explain(error, from, to);
            throw error;
        }
    }

    /** Says what the code leaves out: what somebody else made of it, and through when it is locked. */
    async function explain(error, from, to) {
        try {
            if (error.code === "rev_conflict" || error.code === "bad_state") await showTheirs(from, to);
            if (error.code === "locked_period") sayLock(await loadLock(api, session));
        } catch (failure) {
            if (!(failure instanceof Refusal)) throw failure;
        }
    }

    async function showTheirs(from, to) {
        if (row === null) return;
        const day = row.date ?? date;
        const there = await api.all(
            `/api/v1/attendance/sessions?user=${user}&from=${addDays(day, -1)}&to=${addDays(day, 1)}&limit=500`,
            "sessions");
        const now = there.find(({ id }) => id === row.id);
        const others = now === undefined ? there.filter((one) => one.date === day) : [now];
        theirs.replaceChildren(
            make("p", "", t(now === undefined ? "attendance.gone" : "attendance.conflict")),
            makeCompare(time, date, [
                [t("attendance.was"), row.in_ms, row.out_ms],
                ...(others.length === 0 ? [[t("attendance.is"), null, null]] :
                    others.map((one) => [t("attendance.is"), one.in_ms, one.out_ms])),
                [t("attendance.mine"), from, to],
            ]));
        // Whoever sends it again has seen it.
        if (now !== undefined) rev = now.rev;
    }

    function sayLock(lock) {
        if (lock === null) return;
        setSentence(note, sentence("attendance.locked", {
            day: time.longDay(lock.through_date), who: { name: whoWords(lock.locked_by) }, why: { name: lock.reason },
        }));
    }

    if (isApproved) {
        const buttons = form.querySelector(".buttons");
        buttons.firstElementChild.after(makeButton(t("attendance.ask"), () => {
            isApproved = false;
            form.requestSubmit(buttons.firstElementChild);
        }));
        buttons.firstElementChild.addEventListener("click", () => {
            isApproved = true;
        });
    }
    form.addEventListener("input", show);
    if ((options.lock?.through_date ?? "") >= (row?.date ?? date) && !isOpen) sayLock(options.lock);
    show();
    const title = make("p", "who");
    setSentence(title, sentence(row === null ? "attendance.add-for" : "attendance.correct-for", {
        name: { name }, day: time.longDay(date),
    }));
    const element = make("div", "correct", title, note, theirs, preview, form);
    element.form = form;
    return element;
}

/**
 * The forms of a person's day, as a row below theirs: one for each session, and one for a session that is missing.
 *
 * @param {() => object} day The day as it was loaded last.
 */
export function makeEditor(tools, columns, { user, name }, day, close, changed) {
    const { session, time, api, clock } = tools;
    const chips = make("div", "buttons");
    const place = make("div");
    const cell = make("td", "", make("div", "inside", chips, place));
    cell.colSpan = columns;
    const element = make("tr", "edit", cell);
    const forms = new Map();
    return {
        element,
        /** Shows the form of a session; without an id that of the only or last one, or of one to add. */
        show({ sessions }, id) {
            const data = day();
            const ownOf = (all) => all.filter((one) => one.date === data.date && one.rev !== undefined);
            const own = ownOf(sessions);
            const wanted = own.some((one) => one.id === id) ? id : own.at(-1)?.id ?? null;
            const choose = (key) => {
                if (!forms.has(key)) {
                    const made = makeCorrection({
                        api, session, time, clock, date: data.date, from: data.from, user, name, lock: data.lock,
                        // After a correction it is another one than when the editor was opened.
                        row: ownOf(day().sessions).find((one) => one.id === key && one.user === user) ??
                            own.find((one) => one.id === key) ?? null,
                        onDone() {
                            // It may have been cancelled meanwhile, and another one opened.
                            if (forms.get(key) === made) finish(key);
                            changed();
                        },
                        cancel: () => finish(key),
                    });
                    forms.set(key, made);
                    place.append(made);
                }
                // What was typed into another one stays there.
                for (const [other, form] of forms) form.hidden = other !== key;
                for (const chip of chips.children) chip.setAttribute("aria-pressed", String(chip.key === key));
            };
            // Also after a correction that was asked for and not approved: it waits among the others.
            const finish = (key) => {
                forms.get(key).remove();
                forms.delete(key);
                const [next] = forms.keys();
                if (next === undefined) close();
                else choose(next);
            };
            const chip = (key, text) => {
                const button = makeButton(text, () => choose(key), "chip-button");
                button.key = key;
                return button;
            };
            chips.replaceChildren(
                ...own.map((one) => chip(one.id, spanWords(time, data.date, one.in_ms, one.out_ms))),
                chip(null, t("attendance.add-another")));
            chips.hidden = own.length === 0;
            choose(wanted);
        },
    };
}
