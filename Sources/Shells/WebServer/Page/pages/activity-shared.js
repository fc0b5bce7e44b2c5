import { make, setText } from "../kit/element.js";
import { t } from "../words/words.js";
import { makeActivityDays, makeRenewal } from "./activity-days.js";
import { itemWords } from "./activity-sharing.js";
import { makeWhose } from "./whose.js";

/** What people share of their activity, for trainers: one of them at a time. */
export default function activityShared(main, tools) {
    const { api, drawSoon } = tools;
    let people = null;
    const whose = makeWhose(tools, () => {
        days.clear();
        days.load();
        drawSoon();
    }, { right: "activity.shared", among: (user) => people?.some((one) => one.user === user), own: "" });
    const nobody = make("p", "panel");
    nobody.hidden = true;
    const shares = make("p", "detail");
    const chosen = () => people?.find((one) => one.user === whose.user);
    const days = makeActivityDays(tools, async (query) => {
        // Anew each time: what is taken back is not asked for again.
        ({ people } = await api.get("/api/v1/activity/shared"));
        drawSoon();
        return chosen() ? `/api/v1/activity/shared/${encodeURIComponent(whose.user)}?${query}` : null;
    });
    main.append(whose.element, nobody, shares, days.element);
    const renew = makeRenewal(tools, days.load);

    return {
        draw(now) {
            renew(now);
            whose.draw();
            if (people === null) return;
            const one = chosen();
            nobody.hidden = one !== undefined;
            setText(nobody, nobody.hidden ? "" : t(people.length === 0 ? "activity.nobody-shares" :
                whose.user === "" ? "activity.choose-shared" : "activity.shares-no-more"));
            setText(shares, one === undefined ? "" : t("activity.shares-with-you", { items: itemWords(one.items) }));
        },
    };
}
