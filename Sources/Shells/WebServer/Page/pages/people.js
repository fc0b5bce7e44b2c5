import { make, makeLink, makeRow, makeTable, setCell, setData, setName, setText, showList } from "../kit/element.js";
import { makeButton, makeSearch } from "../kit/form.js";
import { NONE, age, known, t } from "../words/words.js";
import {
    attendanceWords, isHere, isIn, nobodyWords, peopleOf, personLine, presenceWord, reviewWords, workoutWords,
} from "./presence.js";
import { openAddPerson } from "./add-person.js";
import { makeWhy } from "./why.js";

const COLUMNS = [
    "name", "state", "room", "station", "since", "confidence", "heard", "attendance", "workout", "why",
];

/** So many are listed until somebody searches or asks for all: six screens of a phone. */
const MANY = 75;

/** Everybody, with all that is known of them now. */
export default function people(main, tools) {
    const { site, session, time, drawSoon } = tools;
    const columns = COLUMNS.map((column) => t(`people.${column}`));
    const why = makeWhy(tools);
    const search = makeSearch(t("live.search"), drawSoon);
    const { box, rows } = makeTable(t("page.people"), columns, nobodyWords(session));
    rows.id = "people-rows";
    let showsAll = false;
    const more = makeButton("", () => {
        showsAll = !showsAll;
        drawSoon();
    }, "quiet");
    more.hidden = true;
    main.append(search.element, box, more);
    let adding = null;
    if (session.may("people.write")) {
        const add = makeButton(t("add-person.title"), () => {
            adding = openAddPerson(tools);
        }, "go");
        add.id = "add-person";
        main.append(make("div", "buttons", add, makeLink("/setup/users", t("setup.people"))));
    }
    return {
        draw(now) {
            const found = peopleOf(site).filter(({ name }) => search.finds(name));
            setText(box.querySelector(".empty"), search.isEmpty() ? nobodyWords(session) : t("live.not-found"));
            // Who is in stands first where not everybody is shown.
            const ordered = found.length <= MANY || showsAll ? found : [...found.filter(isIn), ...found.filter((one) => !isIn(one))];
            const shown = showsAll ? found : ordered.slice(0, MANY);
            more.hidden = found.length <= MANY;
            setText(more, showsAll ? t("live.fewer") : t("live.all", { n: found.length }));
            showList(rows, shown, ({ user }) => user, () => makePersonRow(columns, why), (row, person) => {
                update(row, person, site, now, time);
            });
            why.draw(now);
            adding?.draw(now);
        },
    };
}

function makePersonRow(columns, why) {
    const row = makeRow(columns);
    row.children[0].append(makeLink("#"));
    row.children[1].append(make("span", "pill"));
    const bar = make("span", "bar", make("span"));
    bar.setAttribute("aria-hidden", "true");
    row.children[5].append(bar, make("span", "figure"));
    row.children[5].className = "meter";
    row.children[7].append(make("div", "", make("span", "time"), make("span", "check")));
    row.children[9].append(makeButton(t("why.ask"), () => why.open(row.dataset.user), "ask"));
    for (const index of [4, 6, 8]) row.children[index].className = "time";
    return row;
}

function update(row, person, site, now, time) {
    const { user, name, presence, attendance, workout } = person;
    const { state, isStale } = personLine(person, site, time, now);
    const seen = known(presence?.seen_ms);
    const since = known(presence?.since_ms);
    const room = presence?.room ?? null;
    const station = presence?.station ?? null;
    setData(row, {
        user, state, room, station, stale: isStale ? "true" : null,
        place: presence?.place?.station ?? presence?.place?.room ?? null,
        review: attendance?.review?.join(" ") || null, confirmed: presence?.confirmed ?? null,
    });

    const cells = row.children;
    const link = cells[0].firstElementChild;
    setName(link, name);
    if (link.getAttribute("href") !== `/people/${user}`) link.href = `/people/${user}`;
    setData(cells[1].firstElementChild, { state });
    setText(cells[1].firstElementChild, presenceWord(person));
    setName(cells[2], room === null ? null : site.nameOf("rooms", room));
    setName(cells[3], station === null ? null : site.nameOf("stations", station));
    setCell(cells[4], since === null ? null : time.short(since, now));

    // Of a place that is not named, or not believed any more, no probability is told; nor of a guess.
    const isTold = isHere(person) && !["leaving", "moving"].includes(state) && room !== null &&
        presence.confidence > 0;
    const confidence = isTold ? Math.round(presence.confidence * 100) : null;
    const [bar, figure] = cells[5].children;
    setData(cells[5], { empty: confidence === null ? "true" : null });
    bar.hidden = confidence === null;
    bar.firstElementChild.style.setProperty("width", `${confidence ?? 0}%`);
    setText(figure, confidence === null ? NONE : `${confidence} %`);
    setText(cells[6], seen === null ? t("person.never") : t("ago", { age: age(now - seen) }));
    const [words, check] = cells[7].firstElementChild.children;
    const inOrOut = attendanceWords(attendance, now, time);
    setData(cells[7], { empty: inOrOut === null ? "true" : null });
    setText(words, inOrOut ?? NONE);
    const reviews = reviewWords(attendance);
    check.hidden = reviews.length === 0;
    setText(check, t("person.check", { why: reviews.join(", ") }));
    setCell(cells[8], workoutWords(workout, now));
    const label = t("why.title", { who: name });
    const ask = cells[9].firstElementChild;
    if (ask.getAttribute("aria-label") !== label) ask.setAttribute("aria-label", label);
    ask.hidden = seen === null;
    setData(cells[9], { empty: seen === null ? "true" : null });
}
