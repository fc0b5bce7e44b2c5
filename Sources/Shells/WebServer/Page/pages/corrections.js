import { Refusal } from "../data/api.js";
import { make, makeLink, makeSection, setSentence, setText, showList } from "../kit/element.js";
import { makeButton, makeForm } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { addDays, sentence, t } from "../words/words.js";
import { MOST_REASON, loadLock, makeCompare, spanWords, whoWords } from "./correction-form.js";

const STATES = ["all", "pending", "approved", "refused", "superseded"];
/** Whoever asks meanwhile is seen after so long. */
const RELOAD_MS = 30000;
/** So many decided ones are shown at first, and with every touch of the button. */
const PAGE = 50;

/** Corrections that were asked for: what waits for a decision, and what was decided. */
export default function corrections(main, tools) {
    const { api, session, time, drawSoon } = tools;
    const said = make("p", "said");
    said.setAttribute("role", "status");
    const filter = make("select", "state-filter", ...STATES.map((state) => {
        const option = make("option", "", t(`corrections.filter.${state}`));
        option.value = state;
        return option;
    }));
    filter.id = "corrections-filter";
    const label = make("label", "", t("corrections.show"));
    label.htmlFor = filter.id;
    filter.addEventListener("change", drawSoon);
    const back = makeLink("/attendance", t("corrections.to-attendance"));
    back.className = "button";

    const pending = make("ul", "wishes");
    pending.id = "corrections-pending";
    const none = make("p", "empty-list", t("corrections.none"));
    const waiting = makeSection(t("corrections.pending"), pending, none);
    const decided = make("ul", "wishes");
    decided.id = "corrections-decided";
    const noneDecided = make("p", "empty-list", t("corrections.none-decided"));
    const more = makeButton(t("corrections.more"), () => {
        count += PAGE;
        drawSoon();
    }, "quiet");
    const past = makeSection(t("corrections.decided"), decided, noneDecided, more);
    const links = make("div", "attendance-links", back, make("div", "filter", label, filter));
    let rows = null;
    const part = makePart(async () => {
        rows = await api.get("/api/v1/attendance/corrections");
        drawSoon();
    });
    main.append(links, part.element, said, waiting, past);
    waiting.hidden = true;
    past.hidden = true;

    let count = PAGE;
    let loadedAt = -Infinity;

    function makeWish(row) {
        const head = make("p", "wish");
        const reason = make("blockquote", "reason");
        const about = make("p", "detail");
        const verdict = make("p", "verdict");
        const place = make("div");
        const element = make("li", "panel wish-line", head, reason, about, verdict, place);
        if (row.state === "pending" && session.may("decide")) offerDecision(place, row);
        return element;
    }

    function update(element, row, now) {
        const from = row.old_from_ms ?? row.new_from_ms;
        const date = from === undefined ? null : time.date(from);
        element.dataset.state = row.state;
        const [head, reason, about, verdict] = element.children;
        const values = {
            name: { name: row.name },
            who: { name: whoWords(row.requested_by) },
            day: date === null ? "" : { text: dayLink(date) },
            old: date === null ? "" : spanWords(time, date, row.old_from_ms, row.old_to_ms),
            next: date === null ? "" : spanWords(time, date, row.new_from_ms, row.new_to_ms),
        };
        const key = row.source === "person" ? `corrections.asks.${row.change}` : `corrections.late.${row.change}`;
        fill(head, JSON.stringify([row, time.zone]), () => setSentence(head, sentence(key, values)));
        setText(reason, row.source === "person" ? row.reason : t(`corrections.source.${row.source}`));
        reason.dir = "auto";
        const lost = row.breaks_lost_ms === undefined ? "" :
            ` ${t("corrections.breaks-lost", { minutes: Math.round(row.breaks_lost_ms / 60000) })}`;
        setText(about, t("corrections.asked-at", { time: time.short(row.requested_ms, now) }) + lost);
        verdict.hidden = row.state === "pending";
        if (verdict.hidden) return;
        setSentence(verdict, [{ text: pillOf(row.state) }, " ", ...(row.decided_ms === undefined ? [] :
            sentence("corrections.decided-by", {
                who: { name: whoWords(row.decided_by) }, time: time.short(row.decided_ms, now),
                why: { name: row.decision_reason ?? "" },
            }))]);
    }

    function dayLink(date) {
        return makeLink(`/attendance/${date}`, time.longDay(date));
    }

    /** The two buttons, and the form that each opens: a decision needs a reason. */
    function offerDecision(place, row) {
        const offer = (isFocused = false) => {
            const approve = makeButton(t("corrections.approve"), () => ask(true), "go");
            const refuse = makeButton(t("corrections.refuse"), () => ask(false));
            for (const [button, verb] of [[approve, "approve"], [refuse, "refuse"]]) {
                button.setAttribute("aria-label", t(`corrections.${verb}-of`, { name: row.name }));
            }
            place.replaceChildren(make("div", "buttons", approve, refuse));
            if (isFocused) approve.focus();
        };
        const ask = (approves) => {
            const note = make("div", "theirs");
            const form = makeForm({
                go: t(approves ? "corrections.approve" : "corrections.refuse"), className: "inline",
                cancel: () => offer(true),
                fields: [{
                    name: "reason", label: t(approves ? "corrections.why-approve" : "corrections.why-refuse"),
                    isNeeded: true, least: 1, most: MOST_REASON,
                    options: (approves ? ["seen", "plan", "asked"] : ["not-so", "unclear"])
                        .map((one) => t(`corrections.reason.${one}`)).map((text) => [text, text]),
                }],
                send: async ({ reason }, key) => {
                    try {
                        await api.ask("POST", `/api/v1/attendance/corrections/${row.id}/decision`, {
                            body: { approve: approves, reason }, key,
                        });
                    } catch (error) {
                        if (error instanceof Refusal) await explain(note, row, error);
                        throw error;
                    }
                    place.replaceChildren();
                    setSentence(said, sentence(approves ? "corrections.approved" : "corrections.was-refused",
                        { name: { name: row.name } }));
                    await part.load();
                },
            });
            place.replaceChildren(note, form);
            form.field("reason").focus();
        };
        offer();
    }

    /** Says what stands against it: what became of the session meanwhile, or the lock. */
    async function explain(note, row, error) {
        note.replaceChildren();
        try {
            if (error.code === "rev_conflict" && row.old_from_ms !== undefined) {
                const date = time.date(row.old_from_ms);
                const found = await api.all(`/api/v1/attendance/sessions?user=${row.user}` +
                    `&from=${addDays(date, -1)}&to=${addDays(date, 1)}&limit=500`, "sessions");
                const now = found.find(({ id }) => id === row.session);
                note.replaceChildren(make("p", "", t("corrections.conflict")), makeCompare(time, date, [
                    [t("corrections.then"), row.old_from_ms, row.old_to_ms],
                    [t("attendance.is"), now?.in_ms ?? null, now?.out_ms ?? null],
                    ...(row.new_from_ms === undefined ? [] :
                        [[t("corrections.wanted"), row.new_from_ms, row.new_to_ms]]),
                ]));
            } else if (error.code === "locked_period") {
                const lock = await loadLock(api, session);
                if (lock === null) return;
                const words = make("p");
                setSentence(words, sentence("attendance.locked", {
                    day: time.longDay(lock.through_date), who: { name: whoWords(lock.locked_by) },
                    why: { name: lock.reason },
                }));
                note.replaceChildren(words);
            } else if (error.code === "bad_state") {
                // Somebody else decided: what they decided is shown below.
                await part.load();
            }
        } catch (failure) {
            if (!(failure instanceof Refusal)) throw failure;
        }
    }

    return {
        draw(now) {
            if (now - loadedAt > RELOAD_MS) {
                loadedAt = now;
                part.load();
            }
            if (rows === null) return;
            const state = filter.value;
            const waits = rows.filter((row) => row.state === "pending").sort((a, b) => a.id - b.id);
            const rest = rows.filter((row) => row.state !== "pending" && (state === "all" || row.state === state))
                .sort((a, b) => b.id - a.id);
            waiting.hidden = state !== "all" && state !== "pending";
            past.hidden = state === "pending";
            none.hidden = waits.length > 0;
            noneDecided.hidden = rest.length > 0;
            more.hidden = rest.length <= count;
            const draw = (list, found) => showList(list, found, ({ id }) => String(id), makeWish,
                (element, row) => update(element, row, now));
            draw(pending, waits);
            draw(decided, rest.slice(0, count));
        },
    };
}

function pillOf(state) {
    const pill = make("span", "pill", t(`corrections.state.${state}`));
    pill.dataset.state = state;
    return pill;
}

/** Fills an element anew only if what it shows has changed, so that a link in it keeps the focus. */
function fill(element, key, act) {
    if (element.shown === key) return;
    element.shown = key;
    act();
}
