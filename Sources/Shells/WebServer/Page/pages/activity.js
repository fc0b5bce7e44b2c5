import { make, makeLink } from "../kit/element.js";
import { t } from "../words/words.js";
import { makeActivityDays, makeRenewal } from "./activity-days.js";
import { makeConnectPhone } from "./connect-phone.js";
import { makeWhose, of } from "./whose.js";

/** Who waits for the first steps sees them so soon, in milliseconds. */
const FIRST_MS = 10_000;

/** Steps, distance and energy of oneself; before there are any, how to connect a phone. */
export default function activity(main, tools) {
    const { session } = tools;
    const whose = makeWhose(tools, () => {
        // What is shown is of whom was chosen before.
        days.clear();
        connect.clear();
        loadAll();
    }, { right: "activity.read" });
    const csv = makeLink("#", t("activity.csv"));
    csv.className = "button";
    csv.download = "";
    const nobody = make("p", "panel", t("history.choose"));
    nobody.hidden = true;
    const optionsAt = () => whose.user === session.user ? "/activity/settings" : of("/activity/settings", whose.user);
    const connect = makeConnectPhone(tools, () => whose.user);
    const days = makeActivityDays(tools, async (query) => {
        if (whose.user === "") return null;
        await connect.look();
        return of(`/api/v1/activity?${query}`, whose.user);
    }, { userOf: () => whose.user, more: [csv], instead: connect, weightAt: optionsAt });
    const options = makeLink("/activity/settings", t("activity.settings"));
    const others = makeLink("/activity/shared", t("page.activity-shared"));
    others.hidden = !session.may("activity.shared");
    main.append(whose.element, make("p", "activity-links", options, others), nobody, connect.element, days.element);
    const renew = makeRenewal(tools, loadAll, () => connect.isShown ? FIRST_MS : null);

    function loadAll() {
        csv.href = of("/api/v1/activity/export", whose.user);
        options.href = optionsAt();
        const isNobody = whose.user === "";
        nobody.hidden = !isNobody;
        options.hidden = isNobody;
        days.load();
    }

    return {
        draw(now) {
            whose.draw();
            renew(now);
        },
    };
}
