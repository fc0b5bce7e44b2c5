import { make, setText } from "../kit/element.js";
import { fillChoice, makeChoice } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { compare, t } from "../words/words.js";
import { makeActivityDays } from "./activity-days.js";
import { itemWords } from "./activity-sharing.js";
import { of } from "./whose.js";

/** News of a day that lasts are looked for so often, in milliseconds. */
const NEWS_MS = 60_000;

/** What people share of their activity, for trainers: one of them at a time. The address keeps the choice. */
export default function activityShared(main, tools) {
    const { api, site, time, drawSoon } = tools;
    let user = new URLSearchParams(location.search).get("user") ?? "";
    let people = null;
    const { element, input } = makeChoice("whose", t("history.whose"), () => {
        user = input.value;
        history.replaceState(null, "", user === "" ? location.pathname : of("", user));
        days.hide();
        load();
        drawSoon();
    });
    element.classList.add("whose");
    const nobody = make("p", "panel");
    nobody.hidden = true;
    const shares = make("p", "detail");
    const isShared = () => people?.some((one) => one.user === user) === true;
    const part = makePart(async () => {
        ({ people } = await api.get("/api/v1/activity/shared"));
        if (!isShared()) days.hide();
        drawSoon();
        // Only of who shares something: for others the server has a refusal.
        await days.load();
    });
    const days = makeActivityDays(tools, (query) => isShared() ?
        `/api/v1/activity/shared/${encodeURIComponent(user)}?${query}` : null);
    main.append(element, part.element, nobody, shares, days.fault, days.element);
    let loadedAt = -Infinity;

    function load() {
        loadedAt = performance.now();
        part.load();
    }

    let heard = null;
    return {
        draw(now) {
            const news = time.date(now);
            if (news !== heard || (performance.now() - loadedAt >= NEWS_MS && !document.hidden)) {
                heard = news;
                load();
            }
            if (people === null) return;
            const names = people.map((one) => [one.user, site.nameOf("users", one.user)])
                .sort(([, a], [, b]) => compare(a, b));
            fillChoice(input, [["", t("history.nobody")], ...names]);
            if (input.value !== user) input.value = user;
            const chosen = people.find((one) => one.user === user);
            nobody.hidden = chosen !== undefined;
            setText(nobody, nobody.hidden ? "" : t(people.length === 0 ? "activity.nobody-shares" :
                user === "" ? "activity.choose-shared" : "activity.shares-no-more"));
            setText(shares, chosen === undefined ? "" :
                t("activity.shares-with-you", { items: itemWords(chosen.items) }));
        },
    };
}
