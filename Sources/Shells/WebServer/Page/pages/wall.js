import { Refusal } from "../data/api.js";
import { tendBoard } from "../kit/board.js";
import { make, setData, setName, setSentence, setText, showList } from "../kit/element.js";
import { compare, t } from "../words/words.js";
import { STATION_SHAPES } from "./presence.js";
import { stationWords, waitWords } from "./stations.js";

/** So many stations are read from across a hall; of more each is smaller. */
const LARGE = 12;
const SMALL = 30;

/** Names are asked for when a station changes, no more often than that, in ms; and once a minute, as people may have another mind. */
const NAMES_MS = 2000;
const NAMES_AGAIN_MS = 60_000;

/** Rooms and stations for a screen on the wall: nothing to touch, and of names what the site's rule leaves. */
export default function wall(main, { site, api, time, drawSoon }) {
    const board = tendBoard(api);
    const names = followNames(api, drawSoon);
    const clock = make("p", "wall-clock");
    const rooms = make("ul", "wall-rooms");
    const tiles = make("ul", "wall-stations");
    tiles.id = "wall-stations";
    const none = make("p", "empty-list", t("stations.none"));
    main.append(make("div", "wall-top", rooms, clock), tiles, none);
    return {
        draw(now) {
            board.draw();
            setText(clock, site.isKept ? "" : time.clock(now));
            showList(rooms, site.listed("rooms"), (room) => room, () => make("li", "wall-room", make("strong"), make("bdi")),
                (item, room) => {
                    const count = site.payload("room", room, "state")?.count ?? null;
                    setText(item.firstElementChild, count === null ? "–" : String(count));
                    setText(item.lastElementChild, site.nameOf("rooms", room));
                });
            const stations = site.listed("stations").map((id) => ({
                id, name: site.nameOf("stations", id), info: site.payload("station", id, "info"),
                state: site.payload("station", id, "state"),
            })).sort((a, b) => compare(a.info?.room ?? "", b.info?.room ?? "") || compare(a.name, b.name));
            names.follow(stations);
            setData(tiles, { size: stations.length <= LARGE ? "large" : stations.length <= SMALL ? "middle" : "small" });
            none.hidden = stations.length > 0;
            showList(tiles, stations, ({ id }) => id, makeTile, (tile, one) => updateTile(tile, one, names.of(one), now));
        },
    };
}

function makeTile({ id }) {
    const shape = make("span", "shape");
    shape.setAttribute("aria-hidden", "true");
    const tile = make("li", "wall-station", make("h2"), make("p", "wall-state", shape, make("span")), make("p", "wall-names"),
        make("p", "wall-wait"));
    tile.dataset.station = id;
    return tile;
}

function updateTile(tile, { name, info, state }, names, now) {
    const word = Object.hasOwn(STATION_SHAPES, state?.state) ? state.state : "unknown";
    const [head, line, who, wait] = tile.children;
    setData(tile, { state: word });
    setName(head, name);
    setText(line.firstElementChild, STATION_SHAPES[word]);
    setText(line.lastElementChild, stationWords(word, state, info, now));
    setSentence(who, names.flatMap((one, at) => [...(at > 0 ? [", "] : []), { name: one }]));
    setText(wait, waitWords(state, now));
}

/** Who is at which station, as far as the wall may tell. */
function followNames(api, drawSoon) {
    /** From station to names. */
    let known = new Map();
    /** From station to the moment since when it was as it was when it was asked. */
    let since = new Map();
    let asked = "";
    let askedAt = -Infinity;

    async function load(moments) {
        try {
            const { stations } = await api.get("/api/v1/wall");
            known = new Map(stations.map(({ station, names }) => [station, names]));
            since = moments;
        } catch (error) {
            // Nobody stands there with a name that was true a while ago.
            known = new Map();
            if (!(error instanceof Refusal)) throw error;
        } finally {
            drawSoon();
        }
    }

    return {
        follow(stations) {
            const key = stations.map(({ id, state }) => `${id} ${state?.state} ${state?.since_ms}`).join();
            const age = performance.now() - askedAt;
            if (age < NAMES_MS || (key === asked && age < NAMES_AGAIN_MS)) return;
            asked = key;
            askedAt = performance.now();
            load(new Map(stations.map(({ id, state }) => [id, state?.since_ms])));
        },
        /** Only of a station that somebody has, and whom it has not changed since. */
        of: ({ id, state }) => ["occupied", "claimed", "conflict"].includes(state?.state) && since.get(id) === state.since_ms ?
            known.get(id) ?? [] : [],
    };
}
