import { make, makeSection, setData, setName, setSentence, setText, showList } from "../kit/element.js";
import { makeButton, makeSearch } from "../kit/form.js";
import { number, sentence, t } from "../words/words.js";
import { makeMyHome } from "./my-home.js";
import { makeMyTraining } from "./my-training.js";
import { makeNext, showNext } from "../kit/next.js";
import { alertLines, grouped, listeningOf } from "./nodes.js";
import { isIn, nobodyWords, peopleOf, personLine, presenceWord, reviewWords, setFace } from "./presence.js";
import { makeRooms } from "./rooms.js";
import { makeUsual } from "./usual.js";
import { makeWhy } from "./why.js";

/** So many people are listed until somebody searches or asks for all: a phone shows the page on three screens. */
const FEW = 12;

/** What goes on right now: who is where, what is free, and what needs somebody. */
export default function live(main, tools) {
    const { site, session, time, announce, drawSoon } = tools;
    const isWhole = session.may("live");
    const figures = makeFigures(isWhole);
    const usual = session.may("reports") ? makeUsual(tools) : null;
    const needs = make("ul", "needs");
    needs.id = "needs";
    const needsBox = makeSection(t("live.needs"), needs);
    const why = makeWhy(tools);
    const mine = makeMyTraining(tools);
    const rooms = makeRooms(tools);
    // Whoever runs the site comes for the site, others for themselves.
    const home = !isWhole && session.user !== "" && session.may("workouts.read", "own") ?
        makeMyHome(tools, mine.element) : null;
    const well = make("p", "all-well");
    well.id = "all-well";
    well.hidden = true;

    const search = makeSearch(t("live.search"), drawSoon);
    const list = make("ul", "people");
    list.id = "people-rows";
    const nobody = make("p", "empty-list");
    const next = makeNext(session, "places.write", "/setup", "page.setup");
    let showsAll = false;
    const more = makeButton("", () => {
        showsAll = !showsAll;
        drawSoon();
    }, "quiet");
    const people = makeSection(t("live.people"), search.element, list, nobody, ...next, more);
    people.id = "people";
    const both = make("div", "columns", people, makeSection(t("live.rooms"), rooms.element));
    both.lastElementChild.id = "rooms";
    main.append(...(home === null ? [figures.element, mine.element] : [home.element, figures.element]), needsBox, well, both,
        ...(usual === null ? [] : [usual.element]));
    main.firstElementChild.classList.add("unseen");

    function drawPeople(now) {
        const all = peopleOf(site);
        const found = all.filter(({ name }) => search.finds(name));
        const here = isWhole ? found.filter(isIn) : found;
        // A trainer comes for those who train, and let them see it.
        if (session.role === "trainer") here.sort((a, b) => Number(trains(b)) - Number(trains(a)));
        // Who is not here is found by the search, or by asking for all.
        const shown = !search.isEmpty() || showsAll ? found : here.slice(0, FEW);
        showList(list, shown, ({ user }) => user, () => makePerson(tools, why),
            (row, person) => updatePerson(row, person, tools, now));
        search.element.hidden = all.length < 2;
        const rest = found.length - shown.length;
        more.hidden = !search.isEmpty() || (rest === 0 && !showsAll);
        setText(more, showsAll ? t("live.fewer") : t("live.all", { n: all.length }));
        // Of oneself the own card says it.
        people.hidden = home !== null && all.every(({ user }) => user === session.user);
        nobody.hidden = shown.length > 0;
        showNext(next, all.length === 0);
        setText(nobody, !search.isEmpty() ? t("live.not-found") : all.length === 0 ?
            nobodyWords(session) : t("live.nobody-in"));
        return all;
    }

    function drawNeeds(all, now) {
        if (!isWhole) {
            needsBox.hidden = true;
            return;
        }
        const lines = [
            // Nobody can do anything about a site that is new: its nodes' page says it.
            ...grouped(alertLines(site, now).filter(({ state }) => state !== "note")).map((line) =>
                line.node ? { ...line, address: `/nodes/${line.node}`, name: site.nameOf("nodes", line.node) } : line),
            ...all.filter(({ attendance }) => attendance?.review?.length > 0).map(
                ({ user, name, attendance }) => ({
                    key: `review ${user}`, state: "review", address: `/people/${user}`, name,
                    text: sentence("live.review", { name: { name }, why: reviewWords(attendance).join(", ") }),
                })),
        ];
        showList(needs, lines, ({ key }) => key, () => make("li", "", make("span", "words"), make("a")),
            (element, { state, text, address, name, node, alert }) => {
                setData(element, { state, node, alert });
                setSentence(element.firstElementChild, text);
                element.lastElementChild.hidden = !address;
                if (address) element.lastElementChild.href = address;
                setText(element.lastElementChild, t("live.look"));
                if (address) element.lastElementChild.setAttribute("aria-label", t("live.look-at", { name }));
            });
        needsBox.hidden = lines.length === 0;
        well.hidden = lines.length > 0 || !session.may("places.write");
        const backup = site.health?.backups?.newest;
        setText(well, [t("live.all-well"), backup ? t("live.backup", { time: time.short(backup.at_ms, now) }) : ""]
            .filter(Boolean).join(" · "));
    }

    return {
        draw(now) {
            const all = drawPeople(now);
            drawNeeds(all, now);
            mine.draw(now);
            home?.draw(now);
            const free = rooms.draw(now);
            why.draw(now);
            usual?.draw(now);
            // Not only of those who may be seen.
            const named = all.filter(({ attendance }) => attendance?.state === "in").length;
            const inside = site.own("state")?.present ?? named;
            figures.draw({
                inside, free, stations: site.listed("stations").length,
                workouts: site.own("state")?.workouts, nodes: listeningOf(site, now), usual: usual?.words(now) ?? "",
            });
            const title = `${t("live.in", { n: inside })} · ${site.name || "Beaconmesh"}`;
            if (document.title !== title) document.title = title;
            announce(t("live.announce", { n: inside }), { isUrgent: false });
        },
    };
}

/** Whether somebody is known to train. */
function trains({ workout }) {
    return ["active", "paused"].includes(workout?.state);
}

function makeFigures(isWhole) {
    const names = ["people-in", "stations-free", "workouts-open", ...(isWhole ? ["nodes-listening"] : [])];
    const values = Object.fromEntries(names.map((name) => {
        const value = make("dd", "", "–");
        value.id = name;
        return [name, value];
    }));
    const note = make("span", "usual");
    const element = make("dl", "figures",
        ...names.map((name) => make("div", "", make("dt", "", t(`live.${name}`)), values[name])));
    element.querySelector("dt").append(" ", note);
    return {
        element,
        draw({ inside, free, stations, workouts, nodes, usual }) {
            setText(values["people-in"], number(inside));
            setText(note, usual);
            setText(values["stations-free"], t("live.of", { free, all: stations }));
            setText(values["workouts-open"], number(workouts) ?? "–");
            if (isWhole) {
                setText(values["nodes-listening"], t("live.of", { free: nodes.listening, all: nodes.total }));
            }
        },
    };
}

function makePerson({ session }, why) {
    const face = make("span", "face");
    face.setAttribute("aria-hidden", "true");
    const name = make(session.may("live") || session.user !== "" ? "a" : "span", "name");
    const ask = makeButton(t("why.ask"), () => why.open(row.dataset.user), "ask");
    const row = make("li", "person", face,
        make("div", "words", name, make("span", "pill"), make("p", "where")), ask);
    return row;
}

function updatePerson(row, person, { site, session, time }, now) {
    const { user, name, presence, attendance } = person;
    const line = personLine(person, site, time, now);
    setData(row, {
        user, state: line.state, room: presence?.room ?? null, station: presence?.station ?? null,
        stale: line.isStale ? "true" : null, review: attendance?.review?.join(" ") || null,
        place: presence?.place?.station ?? presence?.place?.room ?? null,
    });
    const [face, words, ask] = row.children;
    setFace(face, user, name);
    const [title, pill, where] = words.children;
    setName(title, name);
    if (title.tagName === "A") {
        const address = session.may("live") ? `/people/${user}` : user === session.user ? `/people/${user}` : null;
        if (address === null) title.removeAttribute("href");
        else if (title.getAttribute("href") !== address) title.href = address;
    }
    // Where somebody is says that they are there.
    pill.hidden = line.state === "present";
    setData(pill, { state: line.state });
    setText(pill, presenceWord(person));
    setSentence(where, line.parts);
    const isKnown = session.may("people.read") || user === session.user || !session.account && session.may("live");
    ask.hidden = !isKnown || !line.isKnown;
    const label = t("why.title", { who: name });
    if (ask.getAttribute("aria-label") !== label) ask.setAttribute("aria-label", label);
}
