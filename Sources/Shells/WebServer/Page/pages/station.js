import { make, makeLink, makeSection, setData, setName, setText, showList } from "../kit/element.js";
import { cardFor, makeCard, showCard } from "../kit/card.js";
import { makeCode } from "../kit/code.js";
import { makeButton, makeForm, openDialog, closeButton } from "../kit/form.js";
import { t } from "../words/words.js";
import { STATION_SHAPES, setFace } from "./presence.js";
import { makeStationDay } from "./station-day.js";
import { makeOwnWait, makeStationUse } from "./station-use.js";
import { kindWords, stationWords, waitWords } from "./stations.js";

/** One station: whether it can be used, who is there, and what whoever looks does there. */
export default function station(main, tools) {
    const { site, session, params } = tools;
    const id = params.station;
    const own = makeOwnWait(tools);
    const use = makeStationUse(tools, id, own);
    const shape = make("span", "shape");
    shape.setAttribute("aria-hidden", "true");
    const word = make("strong", "word");
    const more = make("p", "detail");
    const where = make("p", "detail");
    const who = make("ul", "chips");
    const box = make("div", "panel station-now", make("p", "state", shape, word), more, who, where, use.element);
    box.id = "now";
    const gone = make("p", "fault", t("station.gone"));
    gone.hidden = true;
    const card = makeCard();
    card.id = "station-card";
    const exercises = make("ul", "plain");
    const training = makeSection(t("station.exercises"), exercises);
    const day = makeStationDay(tools, id);
    const today = makeSection(t("station.today"), make("div", "panel", ...day.children));
    const service = session.may("places.write") ? makeService(tools, id) : null;
    const code = makeButton(t("station.code"), () => showCode(tools, id), "quiet");
    code.hidden = !session.may("session", "own");
    main.append(gone, box, card, training, today, ...(service === null ? [] : [service.element]),
        make("div", "buttons", code, ...(session.may("places.write") ?
            [makeLink(`/setup/cards?station=${encodeURIComponent(id)}`, t("card.add"))] : []),
        makeLink("/stations", t("station.all-stations"))));
    const title = make("bdi");
    main.querySelector("h1").replaceChildren(title);
    return {
        draw(now) {
            gone.hidden = site.isNamed("stations", id);
            box.hidden = !gone.hidden;
            const name = site.nameOf("stations", id);
            setText(title, name);
            const words = `${name} · ${site.name || "Beaconmesh"}`;
            if (document.title !== words) document.title = words;
            const state = site.payload("station", id, "state");
            const info = site.payload("station", id, "info");
            const known = Object.hasOwn(STATION_SHAPES, state?.state) ? state.state : "unknown";
            setData(box, { state: known });
            setText(shape, STATION_SHAPES[known]);
            setText(word, stationWords(known, state, info, now));
            setText(more, waitWords(state, now));
            setText(where, [site.isNamed("rooms", info?.room ?? "") ? site.nameOf("rooms", info.room) : "",
                info?.kind ? kindWords(info.kind) : "", info?.location, info?.equipment]
                .filter((text) => typeof text === "string" && text !== "").join(" · "));
            showList(who, peopleAt(state), ({ user }) => user, makeChip, (chip, { user, words: said }) => {
                setFace(chip.firstElementChild, user, site.nameOf("users", user));
                setName(chip.children[1].firstElementChild, site.nameOf("users", user));
                setText(chip.children[1].lastElementChild, said);
            });
            showCard(card, cardFor(info?.cards));
            use.draw(now);
            today.hidden = box.hidden;
            if (!box.hidden) day.draw(now);
            service?.draw(known === "out_of_order");
            const list = Array.isArray(info?.exercises) ? info.exercises : [];
            training.hidden = list.length === 0;
            showList(exercises, list, (exercise) => exercise, () => make("li", "", make("bdi")),
                (item, exercise) => setText(item.firstElementChild, site.nameOf("exercises", exercise)));
        },
    };
}

/** Who is there, for whom a slot is held, and whom one is offered to, as far as whoever looks may see. */
function peopleAt(state) {
    const here = state?.here ?? [];
    const offered = (state?.offered ?? []).map(({ user }) => user);
    const held = (state?.by ?? []).filter((user) => !here.includes(user));
    return [
        ...here.map((user) => ({ user, words: "" })),
        ...held.map((user) => ({ user, words: t("station.holds") })),
        ...offered.filter((user) => !here.includes(user) && !held.includes(user))
            .map((user) => ({ user, words: t("station.offered") })),
    ];
}

function makeChip() {
    const face = make("span", "face");
    face.setAttribute("aria-hidden", "true");
    return make("li", "chip", face, make("span", "words", make("span", "name", make("bdi")), make("span", "detail")));
}

/** Puts the station out of order, with a note, or back into use. */
function makeService({ api, announce }, id) {
    const say = (isOut) => async ({ note = "" }, key) => {
        await api.ask("POST", `/api/v1/stations/${encodeURIComponent(id)}/service`, {
            key, body: { out_of_order: isOut, ...(note === "" ? {} : { note }) },
        });
        announce(t(isOut ? "station.put-out" : "station.put-back"));
        // What failed this time is not what fails next time.
        if (isOut && out.field("note").value.trim() === note) out.fill({ note: "" });
    };
    const out = makeForm({
        go: t("station.out"), send: say(true),
        fields: [{ name: "note", label: t("station.note"), most: 256, hint: t("station.note-hint") }],
    });
    out.dataset.act = "out";
    const back = makeForm({ go: t("station.back"), send: say(false), fields: [] });
    back.dataset.act = "back";
    return {
        element: makeSection(t("station.service"), make("div", "panel", out, back)),
        draw(isOut) {
            out.show(!isOut);
            back.show(isOut);
        },
    };
}

/** The address of this page as a QR code, to hang at the station. */
async function showCode({ api, site }, id) {
    const figure = await makeCode(api, `${location.origin}/stations/${encodeURIComponent(id)}`, t("station.code"));
    openDialog(site.nameOf("stations", id), figure, make("p", "detail", t("station.code-hint")), closeButton());
}
