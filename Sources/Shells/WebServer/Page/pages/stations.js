import { makeCode } from "../kit/code.js";
import { make, makeLink, setData, setName, setText, showList } from "../kit/element.js";
import { closeButton, fillChoice, makeButton, makeChoice, makeSearch, openDialog } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { makeNext, showNext } from "../kit/next.js";
import { compare, elapsed, has, known, t } from "../words/words.js";
import { STATION_SHAPES } from "./presence.js";
import { freeSlots, makeOwnWait } from "./station-use.js";

/** All stations as tiles: what is free, who is where, how many wait; and where whoever looks trains or waits. */
export default function stations(main, tools) {
    const { site, session, drawSoon } = tools;
    const own = makeOwnWait(tools);
    const search = makeSearch(t("stations.search"), drawSoon);
    const room = makeChoice("filter-room", t("stations.room"), drawSoon);
    const kind = makeChoice("filter-kind", t("stations.kind"), drawSoon);
    const free = make("input");
    free.type = "checkbox";
    free.id = "free-only";
    free.addEventListener("change", drawSoon);
    const freeWords = make("label", "", t("stations.free-only"));
    freeWords.htmlFor = free.id;
    const filter = make("div", "filter", search.element, room.element, kind.element,
        make("div", "tick", free, freeWords));
    const lead = make("p", "detail");
    const tiles = make("ul", "tiles");
    tiles.id = "tiles";
    const none = make("p", "empty-list");
    const codes = makeButton(t("stations.codes"), () => showCodes(tools), "quiet");
    codes.hidden = !session.may("places.write");
    const next = makeNext(session, "places.write", "/setup/stations", "setup.add.stations");
    main.append(filter, lead, tiles, none, ...next, make("div", "buttons", codes));
    return {
        draw(now) {
            const all = site.listed("stations").map((id) => {
                const info = site.payload("station", id, "info");
                return { id, name: site.nameOf("stations", id), info, state: site.payload("station", id, "state") };
            }).sort((a, b) => compare(a.name, b.name));
            fillFilter(room, site.listed("rooms").map((id) => [id, site.nameOf("rooms", id)]));
            fillFilter(kind, [...new Set(all.map(({ info }) => info?.kind).filter(Boolean))].sort()
                .map((one) => [one, kindWords(one)]));
            const isFree = ({ state, info }) => state?.state === "free" ||
                (state && !["out_of_order", "unknown"].includes(state.state) && freeSlots(state, info) > 0);
            const shown = all.filter((one) => search.finds(one.name) &&
                ["", one.info?.room].includes(room.input.value) && ["", one.info?.kind].includes(kind.input.value) &&
                (!free.checked || isFree(one)));
            setText(lead, t("stations.lead", { free: all.filter(isFree).length, n: all.length }));
            showList(tiles, shown, ({ id }) => id, makeTile, (tile, one) => updateTile(tile, one, tools, own, now));
            none.hidden = shown.length > 0;
            showNext(next, all.length === 0);
            setText(none, all.length === 0 ? t("stations.none") : t("stations.not-found"));
        },
    };
}

/** Gives a choice of the filter bar its options, the first of which is everything. */
function fillFilter({ element, input }, options) {
    fillChoice(input, [["", t("stations.all")], ...options]);
    element.hidden = options.length < 2;
}

/** The codes of all stations on paper, to be cut out and hung there. */
function showCodes({ api, site }) {
    const sheet = make("div", "sheet");
    const print = makeButton(t("reports.print"), () => window.print(), "go");
    print.hidden = true;
    const whose = makeChoice("codes-of", t("stations.codes-of"), () => part.load());
    fillChoice(whose.input, [["stations", t("stations.codes-members")], ["v", t("stations.codes-visitors")]]);
    const part = makePart(async () => {
        sheet.replaceChildren();
        const { content } = await api.get("/api/v1/settings");
        whose.element.hidden = content?.visitors !== true;
        const path = whose.element.hidden ? "stations" : whose.input.value;
        for (const id of site.listed("stations")) {
            const figure = await makeCode(api, `${location.origin}/${path}/${encodeURIComponent(id)}`,
                site.nameOf("stations", id));
            figure.append(make("figcaption", "", make("bdi", "", site.nameOf("stations", id))));
            sheet.append(figure);
        }
        print.hidden = false;
    });
    const dialog = openDialog(t("stations.codes"), make("p", "detail", t("station.code-hint")), whose.element, part.element, sheet,
        make("div", "buttons", print, closeButton()));
    dialog.classList.add("on-paper");
    part.load();
}

/** What a kind of station is called. */
export function kindWords(kind) {
    return has(`station.kind.${kind}`) ? t(`station.kind.${kind}`) : kind;
}

function makeTile({ id }) {
    const shape = make("span", "shape");
    shape.setAttribute("aria-hidden", "true");
    const link = makeLink(`/stations/${encodeURIComponent(id)}`, make("bdi"));
    const tile = make("li", "tile panel station-tile", make("h2", "", link),
        make("p", "state", shape, make("strong", "word")), make("p", "detail"), make("p", "own"));
    tile.dataset.station = id;
    return tile;
}

function updateTile(tile, { id, name, info, state }, { site }, own, now) {
    const word = Object.hasOwn(STATION_SHAPES, state?.state) ? state.state : "unknown";
    const [head, line, detail, mine] = tile.children;
    setData(tile, { state: word });
    setName(head.firstElementChild, name);
    setText(line.firstElementChild, STATION_SHAPES[word]);
    setText(line.lastElementChild, stationWords(word, state, info, now));
    setText(detail, [site.isNamed("rooms", info?.room ?? "") ? site.nameOf("rooms", info.room) : "",
        info?.kind ? kindWords(info.kind) : "", waitWords(state, now)].filter(Boolean).join(" · "));
    const workout = site.payload("user", own.user, "workout");
    const trainsHere = workout?.station === id && ["active", "paused"].includes(workout?.state);
    const waitsHere = own.wait?.station === id;
    mine.hidden = !trainsHere && !waitsHere;
    setText(mine, trainsHere ? t("station.you-train") : waitsHere ?
        t(known(own.wait.offered_until_ms) === null ? "station.you-wait" : "station.your-turn") : "");
}

/** `Occupied · 1 of 2 taken · 12:04`. */
export function stationWords(word, state, info, now) {
    const slots = state?.slots ?? info?.slots ?? 1;
    const since = known(state?.since_ms);
    return [t(`station.${word}`),
        slots > 1 && word !== "unknown" ? t("station.places", { taken: slots - freeSlots(state, info), slots }) : "",
        since === null || now === null || ["free", "unknown"].includes(word) ? "" : elapsed(now - since)]
        .filter(Boolean).join(" · ");
}

/** How many wait, and when a slot will be free. */
export function waitWords(state, now) {
    const words = [];
    if ((state?.queue ?? 0) > 0) words.push(t("station.queue", { n: state.queue }));
    const free = known(state?.free_est_ms);
    if (free !== null && now !== null) {
        const minutes = Math.ceil((free - now) / 60_000);
        words.push(minutes > 0 ? t("station.free-in", { n: minutes }) : t("station.free-soon"));
    }
    return words.join(" · ");
}
