import { Refusal } from "../data/api.js";
import { openForm } from "../kit/box.js";
import { make, setText } from "../kit/element.js";
import { t } from "../words/words.js";

/** Rooms and their stations for a beginning, by what the place is: an id, what kind of station, places, exercises. */
const SETS = {
    gym: [
        ["weights", [
            ["bench", "bench", 1, ["bench-press"]], ["rack", "rack", 1, ["back-squat", "deadlift", "overhead-press"]],
            ["cable", "cable", 1, ["lat-pulldown", "seated-row", "cable-fly"]],
            ["dumbbells", "other", 4, ["dumbbell-curl", "lateral-raise"]],
        ]],
        ["cardio", [
            ["treadmill", "cardio", 1, ["treadmill-run"]], ["rower", "cardio", 1, ["rowing-ergometer"]], ["bike", "cardio", 1, ["exercise-bike"]],
        ]],
        ["floor", [["mats", "mat", 4, ["plank"]]]],
    ],
    studio: [["hall", [["mats", "mat", 12, []]]], ["changing", []]],
    office: [["entrance", [["desk", "other", 1, []]]], ["workshop", []]],
};
/** After so many seconds at a station a workout begins by itself. */
const STARTS_AFTER = 20;
/** The kinds of station at which it does. */
const STARTING = new Set(["bench", "rack", "cable", "machine", "cardio"]);

/** Asks what the place is, and makes its first rooms and stations; those that are there stay as they are. */
export function openStarter({ site, api, announce }) {
    const form = openForm(t("starter.title"), t("starter.lead"), {
        go: t("starter.go"),
        fields: [
            { name: "kind", label: t("starter.kind"), kind: "choice",
                options: Object.keys(SETS).map((kind) => [kind, t(`starter.kind-${kind}`)]) },
            { name: "starts", label: t("starter.starts", { n: STARTS_AFTER }), kind: "check", value: true },
        ],
        send: async ({ kind, starts }) => {
            const rooms = SETS[kind];
            const all = rooms.length + rooms.flatMap(([, stations]) => stations).length;
            let [n, added] = [0, 0];
            // What is trained at a station must be there before it.
            if (kind === "gym" && site.listed("exercises").length === 0) {
                await api.ask("POST", "/api/v1/exercises/starter", { body: {} });
            }
            const trained = new Set((await api.all("/api/v1/exercises?fields=id&limit=500", "exercises"))
                .map(({ id }) => id));
            for (const [room, stations] of rooms) {
                setText(said, t("starter.progress", { n: n += 1, all }));
                added += await add("rooms", { id: room, name: t(`starter.${room}`) });
                for (const [id, what, slots, exercises] of stations) {
                    setText(said, t("starter.progress", { n: n += 1, all }));
                    const known = exercises.filter((one) => trained.has(one));
                    added += await add("stations", {
                        id, name: t(`starter.${id}`), room, kind: what, slots,
                        ...(known.length > 0 ? { exercises: known } : {}),
                        ...(starts && STARTING.has(what) ? { auto_start_s: STARTS_AFTER } : {}),
                    });
                }
            }
            announce(t("starter.done", { n: added }));
        },
    });
    const said = make("p", "detail");
    said.setAttribute("role", "status");
    form.append(said);

    /** How many were added: none, if it is there. */
    async function add(list, body) {
        try {
            await api.ask("POST", `/api/v1/${list}`, { body });
            return 1;
        } catch (error) {
            if (!(error instanceof Refusal) || error.code !== "already_exists") throw error;
            return 0;
        }
    }
}
