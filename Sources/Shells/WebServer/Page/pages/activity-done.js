import { make, makeSection, setText, showList } from "../kit/element.js";
import { makeForm } from "../kit/form.js";
import { t } from "../words/words.js";

const KINDS = ["walking", "running", "cycling", "driving", "still", "other"];
/** What they begin here themselves is called so. */
const HAND = "(hand)";

/**
 * What somebody did on a day, and what they begin and end by hand.
 *
 * @param {(() => string) | null} userOf Whose it is; null: nothing is begun here.
 * @param {() => void} changed Called when something has begun or ended.
 */
export function makeActivityDone({ api, announce, session, time }, userOf, changed) {
    const list = make("ul", "visits");
    list.setAttribute("aria-label", t("activity.done"));
    const none = make("p", "detail", t("activity.nothing-done"));
    const ask = (word, said) => async (values, key) => {
        await api.ask("POST", `/api/v1/activity/${word}`, { body: { user: userOf(), ...values }, key });
        announce(t(said));
        changed();
    };
    const begin = makeForm({
        go: t("activity.begin"), isFilter: true,
        fields: [{ name: "kind", label: t("activity.what"), kind: "choice", value: KINDS[0],
            options: KINDS.map((kind) => [kind, t(`activity.kind.${kind}`)]) }],
        send: ask("begin", "activity.begun"),
    });
    const going = make("strong", "");
    const end = makeForm({ go: t("activity.end"), fields: [], send: ask("end", "activity.ended") });
    const now = make("div", "", make("p", "", going), end);
    for (const one of [begin, now]) one.hidden = true;
    const box = make("div", "panel own activity-done");
    if (userOf !== null && session.may("activity.write", "own")) box.append(begin, now);
    box.append(list, none);
    const element = makeSection(t("activity.done"), box);
    return {
        element,
        /** For somebody else. */
        clear() {
            begin.startOver({ kind: KINDS[0] });
            end.startOver();
        },
        draw({ range, activities }, isToday) {
            element.hidden = range !== "day" || activities === null;
            if (activities === null) return;
            const open = activities.find((one) => one.source === HAND && one.to_ms === null);
            begin.show(isToday && open === undefined);
            end.show(isToday && open !== undefined);
            now.hidden = !isToday || open === undefined;
            if (open !== undefined) {
                setText(going, t("activity.since", {
                    kind: t(`activity.kind.${open.kind}`), time: time.clock(open.from_ms),
                }));
            }
            none.hidden = activities.length > 0;
            // Of somebody else nobody learns who said so: two may say the same.
            const shown = activities.filter((one) => one !== open);
            showList(list, shown, (one) => `${one.from_ms} ${shown.indexOf(one)}`, () =>
                make("li", "", make("div", "words", make("span", "times"), make("span", "check"))), (item, one) => {
                const [times, words] = item.firstElementChild.children;
                setText(times, one.to_ms === null ? t("activity.from", { from: time.clock(one.from_ms) }) :
                    t("activity.from-to", { from: time.clock(one.from_ms), to: time.clock(one.to_ms) }));
                const kind = t(`activity.kind.${one.kind}`);
                setText(words, one.is_forgotten ? t("activity.forgotten", { kind }) :
                    one.source === HAND || one.source === null ? kind : t("activity.kind-by", { kind, source: one.source }));
            });
        },
    };
}
