import { make, setText, showList } from "../kit/element.js";
import { closeButton, makeButton, makeForm, openDialog } from "../kit/form.js";
import { makeCode } from "../kit/code.js";
import { t } from "../words/words.js";
import { makePart } from "./my-part.js";

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
            go: t("me.make-calendar"),
            fields: [{ name: "kind", label: t("me.calendar-of"), kind: "choice", value: "shifts",
                options: [["shifts", t("me.calendar.shifts")], ["attendance", t("me.calendar.attendance")]] }],
            send: async ({ kind }, key) => {
                const { data } = await api.ask("POST", "/api/v1/feeds", { body: { user, kind }, key });
                showAddress(api, location.origin + data.path);
                part.load();
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
    const form = makeForm({
        go: t("me.end-calendar"), fields: [], cancel: () => dialog.close(),
        send: async () => {
            await api.ask("DELETE", `/api/v1/feeds/${id}`);
            dialog.close();
            done();
        },
    });
    const dialog = openDialog(t("me.end-calendar-title"), make("p", "", t("me.end-calendar-lead")), form);
    dialog.classList.add("small");
}

/** Shows an address for the only time that it is known: to copy, and for the camera of a phone. */
async function showAddress(api, address) {
    const field = make("input");
    field.type = "text";
    field.readOnly = true;
    field.value = address;
    field.setAttribute("aria-label", t("me.address"));
    const said = make("p", "detail", t("me.address-once"));
    said.setAttribute("role", "status");
    const copy = makeButton(t("me.copy"), async () => {
        field.select();
        try {
            await navigator.clipboard.writeText(address);
            setText(said, t("me.copied"));
        } catch {
            // Without TLS a browser has no clipboard for pages; what is selected can be copied by hand.
            setText(said, t("me.copy-by-hand"));
        }
    });
    const code = make("div");
    const dialog = openDialog(t("me.address"), said, field, make("div", "buttons", copy, closeButton()), code);
    dialog.classList.add("small");
    try {
        code.append(await makeCode(api, address, t("me.code")));
    } catch {
        // The address itself stands above.
        code.remove();
    }
}
