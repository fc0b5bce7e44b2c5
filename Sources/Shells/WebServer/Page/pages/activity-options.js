import { make, makeLink } from "../kit/element.js";
import { t } from "../words/words.js";
import { makeRenewal } from "./activity-days.js";
import { makeActivitySettings } from "./activity-settings.js";
import { makeActivitySharing } from "./activity-sharing.js";
import { makeWhose, of } from "./whose.js";

/** What somebody sets for their activity, and what they share of it. */
export default function activityOptions(main, tools) {
    const { session } = tools;
    const whose = makeWhose(tools, loadAll, { right: "activity.read" });
    const nobody = make("p", "panel", t("history.choose"));
    nobody.hidden = true;
    const settings = makeActivitySettings(tools, () => whose.user);
    const sharing = makeActivitySharing(tools, () => whose.user);
    const back = makeLink("/activity", t("page.activity"));
    const phones = makeLink("/me", t("me.phones"));
    const set = make("div", "own-part", ...settings.sections, sharing.section);
    main.append(whose.element, make("p", "activity-links", back, phones), nobody, set);
    // What is shared may have been taken back on another device.
    const renew = makeRenewal(tools, loadAll);

    function loadAll() {
        const isNobody = whose.user === "";
        const isOwn = !isNobody && whose.user === session.user;
        nobody.hidden = !isNobody;
        set.hidden = isNobody;
        back.href = isNobody || isOwn ? "/activity" : of("/activity", whose.user);
        phones.hidden = !isOwn || !session.may("activity.write", "own");
        // Nobody shares for others here.
        sharing.section.hidden = !isOwn;
        settings.load();
        sharing.load();
    }

    return {
        draw(now) {
            whose.draw();
            renew(now);
        },
    };
}
