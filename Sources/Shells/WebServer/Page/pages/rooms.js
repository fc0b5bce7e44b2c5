import { make, setData, setName, setSentence, setText, showList } from "../kit/element.js";
import { elapsed, known, sentence, t } from "../words/words.js";
import { STATION_SHAPES, isHere, peopleOf, setFace } from "./presence.js";
import { freeSlots } from "./station-use.js";

/** The rooms with their stations, and who is in them as far as whoever looks may see. */
export function makeRooms({ site, session, time }) {
    const element = make("div", "cards");
    element.id = "room-cards";
    return {
        element,
        /** Draws all of it; returns how many stations are free. */
        draw(now) {
            const people = new Map();
            for (const person of peopleOf(site).filter(isHere)) {
                const room = person.presence.room ?? "";
                if (!people.has(room)) people.set(room, []);
                people.get(room).push(person);
            }
            const stations = site.listed("stations").map((station) => stationOf(site, station));
            const rooms = site.listed("rooms").map((room) => ({
                room, name: site.nameOf("rooms", room), state: site.payload("room", room, "state"),
                people: people.get(room) ?? [],
                stations: stations.filter(({ info }) => info?.room === room),
            }));
            const rest = stations.filter(({ info }) => !info?.room || !site.isNamed("rooms", info.room));
            if (people.has("") || rest.length > 0) {
                rooms.push({
                    room: "", name: t("live.between"), people: people.get("") ?? [], stations: rest,
                    state: { count: people.get("")?.length ?? 0 },
                });
            }
            showList(element, rooms, ({ room }) => room, makeCard, (card, item) => {
                updateCard(card, item, site, session, time, now);
            });
            // As the page of the stations counts: one of two places is free, too.
            return stations.filter(({ state, info }) => state !== null &&
                !["out_of_order", "unknown"].includes(state.state) && freeSlots(state, info) > 0).length;
        },
    };
}

function stationOf(site, station) {
    const state = site.payload("station", station, "state");
    const isKnown = state !== null && Object.hasOwn(STATION_SHAPES, state.state);
    return { station, state: isKnown ? state : null, info: site.payload("station", station, "info") };
}

function makeCard(item) {
    const head = make("div", "head", make("h3"), make("strong", "number"), make("span", "unit"));
    const card = make("article", "card", head, make("ul", "stations"), make("ul", "chips"), make("p", "nobody"));
    card.dataset.room = item.room;
    return card;
}

function updateCard(card, item, site, session, time, now) {
    const isUnknown = item.state === null || item.state.count === null;
    const number = item.state?.count ?? item.people.length;
    setData(card, { state: isUnknown ? "unknown" : "known" });
    const [head, stations, list, rest] = card.children;
    setName(head.children[0], item.name);
    setText(head.children[1], isUnknown ? "–" : String(number));
    setText(head.children[2], isUnknown ? t("live.unknown") : t("live.people-word", { n: number }));
    showList(stations, item.stations, ({ station }) => station, makeStation, (row, one) => {
        updateStation(row, one, site, time, now);
    });
    // Whoever is at a station stands there.
    const between = item.people.filter(({ presence }) => !presence.station);
    showList(list, between, ({ user }) => user, makeChip, (chip, person) => updateChip(chip, person));
    const words = isUnknown ? unheard(item.people) : others(item.people, number, session);
    setText(rest, words);
    rest.hidden = words === "";
}

function unheard(named) {
    return named.length > 0 ? "" : t("live.no-node");
}

/** What is to be said of a room beside the people named in it. */
function others(named, number, session) {
    const hidden = number - named.length;
    if (hidden <= 0) return named.length > 0 ? "" : t("live.nobody-here");
    // Whoever may see everybody will in a moment: the count came first.
    if (session.may("live")) return "";
    return named.length > 0 ? t("live.others-unnamed", { n: hidden }) : t("live.people-unnamed", { n: hidden });
}

function makeChip() {
    const face = make("span", "face");
    face.setAttribute("aria-hidden", "true");
    return make("li", "chip", face, make("span", "words", make("bdi", "name"), make("span", "detail")));
}

function updateChip(chip, { user, name, presence }) {
    setData(chip, { user, state: presence.state });
    const [face, words] = chip.children;
    setFace(face, user, name);
    setText(words.children[0], name);
    setText(words.children[1], presence.state === "present" ? "" : t(`presence.${presence.state}`));
}

function makeStation(item) {
    const shape = make("span", "shape");
    shape.setAttribute("aria-hidden", "true");
    const row = make("li", "station", shape, make("span", "name"), make("strong", "word"), make("ul", "who"),
        make("span", "elapsed"), make("span", "use"));
    row.dataset.station = item.station;
    return row;
}

function updateStation(row, { station, state, info }, site, time, now) {
    const name = state?.state ?? "unknown";
    const [shape, title, word, who, running, use] = row.children;
    const users = usersOf(state, site);
    const since = known(state?.since_ms);
    const slots = state?.slots ?? info?.slots ?? 1;
    const taken = slots - freeSlots(state, info);
    setData(row, { state: name, room: info?.room ?? null });
    setText(shape, STATION_SHAPES[name]);
    setName(title, site.nameOf("stations", station));
    setText(word, t(`station.${name}`) +
        (slots > 1 && name !== "unknown" ? ` · ${t("station.places", { taken, slots })}` : ""));
    showList(who, users, ({ key }) => key, () => make("li"), (element, { user = null, kept = null, words }) => {
        setData(element, { user, kept });
        setSentence(element, words);
    });
    setText(running, since === null || name === "free" ? "" : elapsed(now - since));
    const title2 = since === null ? "" : t("person.since", { time: time.short(since, now) });
    if (running.title !== title2) running.title = title2;
    const exercises = Array.isArray(info?.exercises) ? info.exercises : [];
    const words = [info?.location, info?.equipment,
        exercises.map((exercise) => site.nameOf("exercises", exercise)).join(", ")];
    setText(use, words.filter((text) => typeof text === "string" && text !== "").join(" · "));
}

/**
 * Who has a station though they are elsewhere, then who is there. Of those whom whoever looks may not see the server
 * tells the number.
 */
function usersOf(state, site) {
    const here = Array.isArray(state?.here) ? state.here : [];
    const by = Array.isArray(state?.by) ? state.by : [];
    const away = by.filter((user) => !here.includes(user));
    const hidden = state?.others_here ?? 0;
    const elsewhere = (state?.others ?? 0) - hidden;
    // Who stands where somebody else trains is there, and has it not.
    const isOthers = away.length + elsewhere > 0;
    const say = (key, user) => sentence(key, { name: { name: site.nameOf("users", user) } });
    const items = [
        ...away.map((kept) => ({ key: `kept ${kept}`, kept, words: say("station.has-it", kept), number: 1 })),
        { key: "kept", words: sentence("station.have-it", { n: elsewhere }), number: elsewhere },
        ...here.map((user) => ({
            key: `here ${user}`, user, number: 1,
            words: isOthers && !by.includes(user) ? say("station.is-there", user) :
                [{ name: site.nameOf("users", user) }],
        })),
        {
            key: "others", number: hidden,
            words: sentence(here.length > 0 ? "station.others" : isOthers ? "station.people-there" : "station.people",
                { n: hidden }),
        },
    ];
    return items.filter(({ number }) => number > 0);
}
