import { make, setData, setName, setText, showList } from "./dom.js";
import { compare } from "./site.js";
import { NONE, count } from "./words.js";

/** States in which a person is somewhere in the building. */
const HERE = new Set(["entering", "present", "moving", "leaving"]);
const cards = document.getElementById("room-cards");

/** The rooms, and who is in them as far as whoever looks may see. */
export function showRooms(site, sees) {
    const people = new Map();
    for (const user of site.listed("users")) {
        const presence = site.payload("user", user, "presence");
        if (presence === null || !HERE.has(presence.state)) continue;
        const room = presence.room ?? "";
        if (!people.has(room)) people.set(room, []);
        people.get(room).push({ user, presence, name: site.nameOf("users", user) });
    }
    for (const list of people.values()) list.sort((a, b) => compare(a.name, b.name));

    const rooms = site.listed("rooms").map((room) => ({
        room,
        name: site.nameOf("rooms", room),
        state: site.payload("room", room, "state"),
        people: people.get(room) ?? [],
    }));
    if (people.has("")) {
        rooms.push({ room: "", name: "Between rooms", state: {}, people: people.get("") });
    }
    showList(cards, rooms, (item) => item.room, makeCard, (card, item) => {
        const isUnknown = item.state === null || item.state.count === null;
        const number = item.state?.count ?? item.people.length;
        setData(card, { state: isUnknown ? "unknown" : "known" });
        const [head, list, empty] = card.children;
        setName(head.children[0], item.name);
        setText(head.children[1], isUnknown ? NONE : String(number));
        setText(head.children[2], isUnknown ? "unknown" : number === 1 ? "person" : "people");
        const rest = isUnknown ? unheard(item.people) : others(item.people, number, sees);
        setText(empty, rest);
        empty.hidden = rest === "";
        showList(list, item.people, (person) => person.user, makePerson, (element, person) => {
            updatePerson(element, person, site);
        });
    });
}

function unheard(named) {
    return named.length > 0 ? "" : "No node listens here.";
}

/** What is to be said of a room beside the people named in it. */
function others(named, number, sees) {
    const hidden = number - named.length;
    if (hidden <= 0) return named.length > 0 ? "" : "Nobody is here.";
    // Whoever may see everybody will in a moment: the count came first.
    if (sees === "site") return "";
    if (named.length > 0) return `and ${count(hidden, "other", "others")}, not named to you`;
    return "Not named to you.";
}

function makeCard(item) {
    const head = make("div", "head", make("h3"), make("strong", "number"), make("span", "unit"));
    const card = make("article", "card", head, make("ul", "chips"), make("p", "nobody"));
    card.dataset.room = item.room;
    return card;
}

function makePerson(person) {
    const face = make("span", "face");
    face.setAttribute("aria-hidden", "true");
    const words = make(
        "span", "words", make("bdi", "name"), make("bdi", "detail"), make("span", "detail"));
    const element = make("li", "chip", face, words);
    element.dataset.user = person.user;
    face.style.setProperty("--hue", String(hue(person.user)));
    return element;
}

function updatePerson(element, { user, presence, name }, site) {
    const [face, words] = element.children;
    setData(element, { user, state: presence.state });
    setText(face, initial(name));
    setText(words.children[0], name);
    setText(words.children[1], presence.station ? site.nameOf("stations", presence.station) : "");
    const move = { entering: "arriving", moving: "moving", leaving: "leaving?" }[presence.state] ?? "";
    setText(words.children[2], move);
}

/** The first letter as a reader sees it: an emoji of several code points counts as one. */
function initial(name) {
    const letters = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(name.trim());
    const first = [...letters].map((part) => part.segment)
        .find((letter) => /[\p{L}\p{N}\p{Emoji_Presentation}]/u.test(letter));
    return first === undefined ? "?" : first.toUpperCase();
}

/** A colour for a face, the same at every visit. */
function hue(text) {
    let sum = 7;
    for (const character of text) sum = (sum * 31 + character.codePointAt(0)) % 360;
    return sum;
}
