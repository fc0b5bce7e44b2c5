import { openForm } from "../kit/box.js";
import { make, makeLink, setText, showList } from "../kit/element.js";
import { closeButton, makeButton, openDialog } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";
import { makePhoneGuide } from "./connect-phone.js";

/**
 * The phones that send somebody's steps: which there are, connecting another, and ending one.
 *
 * @returns {{ children: Element[], load: () => Promise<void>, draw: () => void }}
 */
export function makePhones({ api, clock, time, drawSoon }, user) {
    const list = make("ul", "visits");
    list.setAttribute("aria-label", t("me.phones"));
    const none = make("p", "detail", t("me.no-phone"));
    none.hidden = true;
    let phones = null;
    const whose = `user=${encodeURIComponent(user)}`;
    const part = makePart(async () => {
        ({ phones } = await api.get(`/api/v1/activity/phones?${whose}`));
        drawSoon();
    });
    const add = makeButton(t("me.add-phone"), () => {
        const guide = makePhoneGuide({ api }, user, part.load);
        openDialog(t("activity.connect"), guide.which, guide.how, make("div", "buttons", closeButton()));
    }, "go");
    return {
        children: [part.element, list, none, make("div", "buttons", add), makeLink("/activity", t("page.activity"))],
        load: part.load,
        draw() {
            if (phones === null) return;
            none.hidden = phones.length > 0;
            showList(list, phones, ({ name }) => name, (phone) => {
                const item = make("li", "", make("div", "words", make("span", "times"), make("span", "check")));
                const button = makeButton(t("me.end-phone"), () => openEnd(phone), "ask");
                button.setAttribute("aria-label", t("me.end-phone-of", { phone: phone.name }));
                item.append(button);
                return item;
            }, (item, phone) => {
                const [name, used] = item.firstElementChild.children;
                setText(name, phone.name);
                setText(used, phone.used_ms === null ? t("me.phone-unused") : t("me.phone-used", {
                    time: time.short(phone.used_ms, clock.now() ?? phone.used_ms),
                }));
            });
        },
    };

    /** Asks before a token ends: the phone that has it sends nothing more. */
    function openEnd({ name }) {
        openForm(t("me.end-phone-title"), t("me.end-phone-lead"), {
            go: t("me.end-phone"),
            send: async () => {
                await api.ask("DELETE", `/api/v1/activity/phones/${encodeURIComponent(name)}?${whose}`);
                part.load();
            },
        });
    }
}
