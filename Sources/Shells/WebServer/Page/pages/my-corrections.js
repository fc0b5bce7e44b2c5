import { make, setData, setSentence, setText, showList } from "../kit/element.js";
import { makeButton, makeDayField, openDialog } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { sentence, t } from "../words/words.js";
import { makeCorrection } from "./correction-form.js";

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
        ask: (one) => openForm(tools, one, one.date ?? time.date(one.in_ms), done),
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

/** The form of a correction in a box: of a session, or, of `null`, of one that is missing on a day. */
function openForm({ api, clock, session, site, time }, row, date, done) {
    const makeFor = (day) => makeCorrection({
        api, clock, session, time, date: day, row, user: session.user, name: site.nameOf("users", session.user),
        from: time.startOf(day), mayApprove: false, cancel: () => dialog.close(),
        onDone() {
            dialog.close();
            done();
        },
    });
    let content = makeFor(date);
    const field = makeDayField("date", date, t("me.day-of"), (day) => {
        const other = makeFor(day);
        const read = (name) => content.form.field(name).value;
        other.form.fill({ in: read("in"), out: read("out"), reason: read("reason") });
        // What was typed is as unsaved as before, and its words follow it.
        other.form.dispatchEvent(new Event("input"));
        content.replaceWith(other);
        content = other;
    });
    field.max = time.date(clock.now() ?? 0);
    const dialog = openDialog(t(row === null ? "me.missing" : "me.wrong"),
        make("p", "detail", t("me.correction-lead")),
        // A session that is there is of its own day.
        ...(row === null ? [make("p", "filter", t("me.day-of"), field)] : []), content);
    dialog.classList.add("small");
}
