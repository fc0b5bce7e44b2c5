import { make, makeLink } from "../kit/element.js";
import { t } from "../words/words.js";
import { makeActivityDays, makeRenewal } from "./activity-days.js";
import { makeActivitySettings } from "./activity-settings.js";
import { makeActivitySharing } from "./activity-sharing.js";
import { makeWhose, of } from "./whose.js";

/** Steps, distance and energy of oneself; what one sets, and what one shares. */
export default function activity(main, tools) {
    const { session } = tools;
    const whose = makeWhose(tools, () => {
        // What is shown is of whom was chosen before.
        days.clear();
        loadAll();
    }, { right: "activity.read" });
    const csv = makeLink("#", t("activity.csv"));
    csv.className = "button";
    csv.download = "";
    const nobody = make("p", "panel", t("history.choose"));
    nobody.hidden = true;
    const days = makeActivityDays(tools,
        (query) => whose.user === "" ? null : of(`/api/v1/activity?${query}`, whose.user),
        { userOf: () => whose.user, more: [csv] });
    const settings = makeActivitySettings(tools, () => whose.user, days.load);
    const sharing = makeActivitySharing(tools, () => whose.user);
    const others = make("p", "links", makeLink("/activity/shared", t("page.activity-shared")));
    others.hidden = !session.may("activity.shared");
    const set = make("div", "own-part", ...settings.sections, sharing.section);
    main.append(whose.element, others, nobody, days.element, set);
    // What is shared may have been taken back on another device.
    const renew = makeRenewal(tools, loadAll);

    function loadAll() {
        csv.href = of("/api/v1/activity/export", whose.user);
        const isNobody = whose.user === "";
        nobody.hidden = !isNobody;
        set.hidden = isNobody;
        // Nobody shares for others here.
        sharing.section.hidden = whose.user !== session.user;
        settings.load();
        sharing.load();
        days.load();
    }

    return {
        draw(now) {
            whose.draw();
            renew(now);
        },
    };
}
