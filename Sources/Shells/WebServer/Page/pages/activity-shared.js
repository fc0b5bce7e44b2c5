import { Refusal } from "../data/api.js";
import { make, makeLink, makeSection, setName, setText, showList } from "../kit/element.js";
import { NONE, compare, hours, number, t } from "../words/words.js";
import { makeActivityDays, makeRenewal } from "./activity-days.js";
import { itemWords } from "./activity-sharing.js";
import { distanceWords, energyWords } from "./activity-words.js";
import { makeWhose, of } from "./whose.js";

/** Of so many people the day is asked for at once. */
const AT_ONCE = 4;

/** What people share of their activity, for trainers: all with their day so far, then one of them. */
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
    const back = make("p", "activity-links", makeLink("/activity/shared", t("activity.all-sharers")));
    const chosen = () => people?.find((one) => one.user === whose.user);
    const sharers = makeSharers(tools);
    const days = makeActivityDays(tools, async (query) => {
        // Anew each time: what is taken back is not asked for again.
        ({ people } = await api.get("/api/v1/activity/shared"));
        drawSoon();
        if (whose.user === "") await sharers.load(people, () => whose.user !== "");
        return chosen() ? `/api/v1/activity/shared/${encodeURIComponent(whose.user)}?${query}` : null;
    });
    main.append(whose.element, nobody, sharers.element, back, shares, days.element);
    const renew = makeRenewal(tools, days.load);

    return {
        draw(now) {
            renew(now);
            whose.draw();
            const isAll = whose.user === "";
            back.hidden = isAll;
            sharers.element.hidden = !isAll || (people ?? []).length === 0;
            if (people === null) return;
            sharers.draw(people);
            const one = chosen();
            nobody.hidden = one !== undefined || (isAll && people.length > 0);
            setText(nobody, nobody.hidden ? "" :
                t(people.length === 0 ? "activity.nobody-shares" : "activity.shares-no-more"));
            setText(shares, one === undefined ? "" : t("activity.shares-with-you", { items: itemWords(one.items) }));
        },
    };
}

/** All who share something, each with today's sum. */
function makeSharers({ api, site, time, clock, drawSoon }) {
    const list = make("ul", "visits sharers");
    list.setAttribute("aria-label", t("activity.sharers"));
    /** By person what they share of today; `null`: nothing any more. */
    const days = new Map();
    return {
        element: makeSection(t("activity.sharers"), make("div", "panel own", list)),
        /** @param {() => boolean} isOver Whether nobody waits for it any more. */
        async load(people, isOver) {
            const query = `range=day&date=${time.date(clock.now())}`;
            for (let at = 0; at < people.length && !isOver(); at += AT_ONCE) {
                await Promise.all(people.slice(at, at + AT_ONCE).map(async ({ user }) => {
                    try {
                        days.set(user, await api.get(`/api/v1/activity/shared/${encodeURIComponent(user)}?${query}`));
                    } catch (error) {
                        // Taken back meanwhile.
                        if (!(error instanceof Refusal) || ![403, 404].includes(error.status)) throw error;
                        days.set(user, null);
                    }
                }));
                drawSoon();
            }
        },
        draw(people) {
            const nameOf = ({ user }) => site.nameOf("users", user);
            const sorted = [...people].sort((a, b) => compare(nameOf(a), nameOf(b)));
            showList(list, sorted, ({ user }) => user, ({ user }) =>
                make("li", "", makeLink(of("/activity/shared", user)),
                    make("p", "sum", make("strong"), make("span", "check"))), (item, one) => {
                const [link, sum] = item.children;
                setName(link, nameOf(one));
                const told = days.get(one.user);
                const [amount, what] = told === undefined ? ["", t("form.loading")] : sumWords(told);
                setText(sum.firstElementChild, amount);
                setText(sum.lastElementChild, what);
            });
        },
    };
}

/** The first that somebody shares of a day's sum, and what it is. */
function sumWords(told) {
    if (told === null) return [NONE, t("activity.shares-no-more")];
    const { items, total, goal, reached, units } = told;
    if (items.includes("steps")) {
        return [number(total.steps), goal === null ? t("activity.steps-short") :
            t(reached ? "activity.reached" : "activity.of-goal", { goal })];
    }
    if (total.distance_m !== null) return [distanceWords(total.distance_m, units), t("activity.column.distance")];
    if (energyWords(total.kcal) !== null) return [energyWords(total.kcal), t("activity.column.energy")];
    if (items.includes("moving")) {
        return [t("activity.hours", { time: hours(total.moving_s) }), t("activity.column.moving")];
    }
    return [NONE, itemWords(items)];
}
