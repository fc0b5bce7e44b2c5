import { openForm, showLink } from "../kit/box.js";
import { make, setText, showList } from "../kit/element.js";
import { makeButton, makeForm, openDialog } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";

/**
 * Somebody's calendars with a secret address: which there are, and, for who may, making and ending them.
 *
 * @returns {{ children: Element[], load: () => Promise<void>, draw: () => void }}
 */
export function makeCalendar({ api, clock, session, time, drawSoon }, user) {
    const mayWrite = session.may("roster.write", "own");
    const list = make("ul", "visits");
    list.setAttribute("aria-label", t("me.calendar"));
    const none = make("p", "detail", t(mayWrite ? "me.no-calendar" : "me.no-calendar-ask"));
    none.hidden = true;
    let feeds = null;
    const part = makePart(async () => {
        const answer = await api.get(`/api/v1/feeds?user=${encodeURIComponent(user)}`);
        feeds = answer.feeds.filter((one) => one.user === user && one.revoked_ms === undefined);
        drawSoon();
    });
    const children = [part.element, list, none];
    if (mayWrite) {
        const form = makeForm({
            go: t("me.make-calendar"), isFilter: true,
            fields: [{ name: "kind", label: t("me.calendar-of"), kind: "choice", value: "shifts",
                options: [["shifts", t("me.calendar.shifts")], ["attendance", t("me.calendar.attendance")]] }],
            send: async ({ kind }, key) => {
                const { data } = await api.ask("POST", "/api/v1/feeds", { body: { user, kind }, key });
                part.load();
                await showLink(openDialog(""), api, {
                    title: [t("me.address")], lead: t("me.address-once"), label: t("me.address"),
                    link: location.origin + data.path,
                });
            },
        });
        children.push(form);
    }
    return {
        children,
        load: part.load,
        draw() {
            if (feeds === null) return;
            none.hidden = feeds.length > 0;
            showList(list, feeds, ({ id }) => String(id), (feed) => {
                const item = make("li", "", make("div", "words", make("span", "times"), make("span", "check")));
                const words = t(`me.calendar.${feed.kind}`);
                setText(item.firstElementChild.children[0], words);
                setText(item.firstElementChild.children[1], t("me.calendar-since", {
                    time: time.short(feed.created_ms, clock.now() ?? feed.created_ms),
                }));
                if (mayWrite) {
                    const button = makeButton(t("me.end-calendar"), () => openEnd(api, feed, part.load), "ask");
                    button.setAttribute("aria-label", t("me.end-calendar-of", { calendar: words }));
                    item.append(button);
                }
                return item;
            }, () => {});
        },
    };
}

/** Asks before an address ends: whoever follows it sees nothing more. */
function openEnd(api, { id }, done) {
    openForm(t("me.end-calendar-title"), t("me.end-calendar-lead"), {
        go: t("me.end-calendar"),
        send: async () => {
            await api.ask("DELETE", `/api/v1/feeds/${id}`);
            done();
        },
    });
}
