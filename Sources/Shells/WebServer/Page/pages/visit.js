import { Refusal } from "../data/api.js";
import { cardFor, makeCard, showCard } from "../kit/card.js";
import { make, makeLink, makeSection, setData, setName, setText, showList } from "../kit/element.js";
import { refusalWords } from "../kit/form.js";
import { t } from "../words/words.js";
import { STATION_SHAPES } from "./presence.js";

/** It is looked so often, in ms, while the page is seen. */
const LOOK_MS = 4000;

/** What whoever passes by sees of a station, without an account: its card, whether it is free, and what else is here. */
export default function visit(main, { api, params, drawSoon }) {
    const address = `/api/v1/visits/${encodeURIComponent(params.id)}`;
    const title = make("bdi");
    main.querySelector("h1").replaceChildren(title);
    const fault = make("p", "empty-list");
    fault.setAttribute("role", "status");
    const shape = make("span", "shape");
    shape.setAttribute("aria-hidden", "true");
    const word = make("strong", "word");
    const more = make("p", "detail");
    const state = make("div", "panel station-now", make("p", "state", shape, word), more);
    state.id = "visit-state";
    const card = makeCard("shown-card visit-card panel");
    card.id = "visit-card";
    const list = make("ul", "entries");
    list.id = "visit-near";
    const near = makeSection(t("visit.near"), list);
    main.append(fault, card, state, near);
    let told = null;
    let wrong = "";
    let isAsking = false;

    async function load() {
        if (isAsking) return;
        isAsking = true;
        try {
            [told, wrong] = [await api.get(address), ""];
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            // What was seen a moment ago is still shown while the line is away.
            if (error.code === "not_found") told = null;
            wrong = error.code === "not_found" ? t("visit.nothing") : refusalWords(error).filter(Boolean).join(" ");
        }
        isAsking = false;
        drawSoon();
    }

    setInterval(() => {
        if (document.visibilityState === "visible") load();
    }, LOOK_MS);
    load();

    return {
        draw() {
            setText(fault, wrong !== "" ? wrong : told === null ? t("form.loading") : "");
            fault.hidden = fault.textContent === "";
            const own = cardFor(told?.cards);
            const name = own?.title ?? told?.name ?? t("page.visit");
            setText(title, name);
            const words = `${name} · ${told?.site || "Beaconmesh"}`;
            if (document.title !== words) document.title = words;
            showCard(card, own, `${address}/pictures/`);
            state.hidden = told?.state === undefined;
            if (!state.hidden) {
                const known = Object.hasOwn(STATION_SHAPES, told.state) ? told.state : "unknown";
                setData(state, { state: known });
                setText(shape, STATION_SHAPES[known]);
                setText(word, t(`station.${known}`));
                setText(more, [told.room ?? "",
                    told.slots > 1 && told.free !== undefined ? t("visit.free", { free: told.free, slots: told.slots }) : "",
                    told.waiting > 0 ? t("station.queue", { n: told.waiting }) : ""].filter(Boolean).join(" · "));
            }
            const others = told?.near ?? [];
            near.hidden = others.length === 0;
            showList(list, others, ({ id }) => id, ({ id }) => {
                const link = makeLink(`/v/${encodeURIComponent(id)}`, make("b"), make("span", "detail"));
                link.className = "setup-line";
                return make("li", "", link);
            }, (item, one) => {
                const [label, detail] = item.firstElementChild.children;
                const shown = cardFor(one.cards);
                setName(label, shown?.title ?? one.name);
                setText(detail, [shown?.subtitle ?? "",
                    Object.hasOwn(STATION_SHAPES, one.state) ? t(`station.${one.state}`) : ""].filter(Boolean).join(" · "));
            });
        },
    };
}
