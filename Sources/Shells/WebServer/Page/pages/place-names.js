import { make, setData, setText, showList } from "../kit/element.js";
import { makeRename, nameRename } from "../kit/rename.js";
import { t } from "../words/words.js";

/** The rooms with their stations, for whoever may give them other names. */
export function makePlaceNames({ site, api }) {
    const list = make("ul", "entries names");
    const element = make("details", "fold", make("summary", "", t("plan.names")), list);
    return {
        element,
        draw() {
            const rooms = site.listed("rooms");
            const stations = site.listed("stations");
            const roomOf = (station) => site.payload("station", station, "info")?.room ?? null;
            const places = [
                ...rooms.flatMap((room) => [
                    { kind: "rooms", id: room },
                    ...stations.filter((id) => roomOf(id) === room).map((id) => ({ kind: "stations", id })),
                ]),
                ...stations.filter((id) => !rooms.includes(roomOf(id))).map((id) => ({ kind: "stations", id })),
            ];
            showList(list, places, ({ kind, id }) => `${kind}/${id}`, ({ kind, id }) => {
                const entry = make("li", "entry", make("bdi"), makeRename(api, () => ({
                    address: `/api/v1/${kind}/${id}`, name: site.nameOf(kind, id),
                })));
                setData(entry, { kind: kind === "rooms" ? "room" : "station", place: id });
                return entry;
            }, (entry, { kind, id }) => {
                const name = site.nameOf(kind, id);
                setText(entry.firstElementChild, name);
                nameRename(entry.lastElementChild, name);
            });
        },
    };
}
