import { make, setData, setName, setText, showList } from "./dom.js";
import { count, elapsed, known } from "./words.js";

/** A shape and a word for each state, so that nobody depends on colours. */
const STATES = {
    free: { shape: "○", word: "Free" },
    claimed: { shape: "◐", word: "Kept" },
    occupied: { shape: "●", word: "Occupied" },
    conflict: { shape: "▲", word: "Conflict" },
    out_of_order: { shape: "✕", word: "Out of order" },
    unknown: { shape: "?", word: "Unknown" },
};
const tiles = document.getElementById("station-tiles");

/** The stations: which can be used, who is there, since when. */
export function showStations(site, now, time) {
    const stations = site.listed("stations").map((station) => {
        const state = site.payload("station", station, "state");
        const info = site.payload("station", station, "info");
        const known = state !== null && Object.hasOwn(STATES, state.state);
        return { station, state: known ? state : null, info };
    });
    showList(tiles, stations, (item) => item.station, makeTile, (tile, item) => {
        const { station, state, info } = item;
        const name = state?.state ?? "unknown";
        setData(tile, { state: name, room: info?.room ?? null });
        const [head, place, use, who, foot] = tile.children;
        setText(head.children[0], STATES[name].shape);
        setText(head.children[1], STATES[name].word);
        setName(place.children[0], site.nameOf("stations", station));
        setName(place.children[1], info?.room ? site.nameOf("rooms", info.room) : "");
        const exercises = Array.isArray(info?.exercises) ? info.exercises : [];
        const words = [info?.location, info?.equipment,
            exercises.map((exercise) => site.nameOf("exercises", exercise)).join(", ")];
        setText(use, words.filter((text) => typeof text === "string" && text !== "").join(" · "));
        const users = usersOf(state);
        showList(who, users, (item) => item.key, makeUser, (element, { user, kept, words }) => {
            const named = user ?? kept ?? null;
            setData(element, { user: user ?? null, kept: kept ?? null });
            setText(element.firstElementChild, words);
            setText(element.lastElementChild, named === null ? "" : site.nameOf("users", named));
        });
        const since = known(state?.since_ms);
        setText(foot.children[0], since === null ? "" : `since ${time.short(since, now)}`);
        setText(foot.children[1], since === null ? "" : elapsed(now - since));
        const slots = state?.slots ?? info?.slots ?? 1;
        const taken = users.reduce((sum, { number }) => sum + number, 0);
        setText(foot.children[2], slots > 1 && name !== "unknown" ? `${taken} of ${slots} places` : "");
    });
    return stations.filter(({ state }) => state?.state === "free").length;
}

function makeTile(item) {
    const shape = make("span", "shape");
    shape.setAttribute("aria-hidden", "true");
    const tile = make(
        "article", "tile",
        make("div", "head", shape, make("strong", "word")),
        make("div", "place", make("h3"), make("span", "where")),
        make("p", "use"),
        make("ul", "who"),
        make("div", "foot", make("span", "since"), make("span", "elapsed"), make("span", "slots")));
    tile.dataset.station = item.station;
    return tile;
}

function makeUser() {
    return make("li", "", make("span"), make("bdi"));
}

/**
 * Who is at a station, then for whom it is kept though they are elsewhere. Of those whom whoever looks
 * may not see the server tells the number.
 */
function usersOf(state) {
    const here = Array.isArray(state?.here) ? state.here : [];
    const by = Array.isArray(state?.by) ? state.by : [];
    const hidden = state?.others_here ?? 0;
    const elsewhere = (state?.others ?? 0) - hidden;
    const rest = here.length > 0 ?
        `and ${count(hidden, "other", "others")}` : count(hidden, "person", "people");
    const items = [
        ...here.map((user) => ({ key: `here ${user}`, user, words: "", number: 1 })),
        { key: "others", words: rest, number: hidden },
        ...by.filter((user) => !here.includes(user)).map((kept) => ({
            key: `kept ${kept}`, kept, words: "kept for ", number: 1,
        })),
        {
            key: "kept", words: `kept for ${count(elsewhere, "person", "people")}`,
            number: elsewhere,
        },
    ];
    return items.filter(({ number }) => number > 0);
}
