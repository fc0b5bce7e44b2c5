import { make, setData, setName, setSentence, setText } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { t } from "../words/words.js";
import { attendanceWords, personLine, personOf, reviewWords, setFace } from "./presence.js";
import { makeWhy } from "./why.js";

/** One person: where they are now, and why. */
export default function person(main, tools) {
    const { site, time, params } = tools;
    const why = makeWhy(tools);
    const now = makeNow(() => why.open(params.user));
    main.append(now.element);
    return {
        draw(moment) {
            const person = personOf(site, params.user);
            const title = main.querySelector("h1");
            setName(title, person.name);
            const words = `${person.name} · ${site.name || "Beaconmesh"}`;
            if (document.title !== words) document.title = words;
            now.draw(person, site, time, moment);
            why.draw(moment);
        },
    };
}

function makeNow(ask) {
    const face = make("span", "face");
    face.setAttribute("aria-hidden", "true");
    const pill = make("span", "pill");
    const where = make("p", "where");
    const attendance = make("p", "attendance");
    const review = make("p", "check");
    const button = makeButton(t("why.ask"), ask, "ask");
    const element = make("div", "person panel", face, make("div", "words", pill, where, attendance, review), button);
    element.id = "now";
    return {
        element,
        draw(person, site, time, now) {
            const line = personLine(person, site, time, now);
            setFace(face, person.user, person.name);
            setData(pill, { state: line.state });
            setText(pill, t(`presence.${line.state}`));
            setSentence(where, line.parts);
            setText(attendance, attendanceWords(person.attendance, now, time) ?? "");
            const reviews = reviewWords(person.attendance);
            review.hidden = reviews.length === 0;
            setText(review, t("person.check", { why: reviews.join(", ") }));
            button.hidden = !line.isKnown;
            const label = t("why.title", { who: person.name });
            if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
        },
    };
}
