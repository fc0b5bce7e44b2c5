import { make, makeLink, setData, setSentence, showList } from "../kit/element.js";
import { makeForm } from "../kit/form.js";
import { compare, elapsed, known, sentence, t } from "../words/words.js";
import { STATION_SHAPES, isHere } from "./presence.js";
import { isTraining } from "./station-use.js";
import { stationWords } from "./stations.js";

/** So many stations near by are named. */
const NEAR = 6;

/**
 * Where whoever looks is and what is near, and their open workout with the way to go on: a card for first pages, which
 * shows only when there is something to say.
 */
export function makeMyTraining({ api, site, session, announce }) {
    const user = session.user;
    const may = user !== "" && session.may("workouts.write", "own");
    const workoutLine = make("p", "own-workout");
    const resume = makeForm({
        go: t("workout.resume"), fields: [],
        send: async (values, key) => {
            await api.ask("POST", "/api/v1/workouts/current/resume", { body: { user }, key });
            announce(t("workout.goes-on"));
        },
    });
    resume.dataset.act = "resume";
    const at = make("p", "own-place");
    const near = make("ul", "near");
    near.setAttribute("aria-label", t("mine.near"));
    const element = make("div", "panel my-training", workoutLine, resume, at, near);
    element.id = "my-training";
    element.hidden = true;

    function drawWorkout(workout, now) {
        const isOpen = isTraining(workout);
        workoutLine.hidden = !isOpen;
        resume.show(workout?.state === "paused");
        if (!isOpen) return false;
        const since = (workout.state === "paused" ? known(workout.paused_since_ms) : null) ?? workout.started_ms;
        const link = { text: makeLink("/workout", t("mine.workout")) };
        setSentence(workoutLine, sentence(`mine.${workout.state}`, { workout: link, time: elapsed(now - since) }));
        return true;
    }

    function drawPlace(presence, now) {
        const all = site.listed("stations").map((id) => ({ id, info: site.payload("station", id, "info") }));
        const station = isHere({ presence }) ? presence.station ?? null : null;
        const room = isHere({ presence }) ? presence.room ?? null : null;
        const shown = all.filter(({ id, info }) => id === station || room !== null && info?.room === room)
            .sort((a, b) => (b.id === station) - (a.id === station) ||
                compare(site.nameOf("stations", a.id), site.nameOf("stations", b.id)))
            .slice(0, NEAR);
        at.hidden = station === null && room === null;
        if (!at.hidden) {
            const place = station !== null ? site.nameOf("stations", station) : site.nameOf("rooms", room);
            setSentence(at, sentence("mine.at", { place: { name: place } }));
        }
        near.hidden = shown.length === 0;
        showList(near, shown, ({ id }) => id, ({ id }) => make("li", "", makeLink(`/stations/${encodeURIComponent(id)}`,
            make("bdi")), make("span", "detail")), (item, { id, info }) => {
            const state = site.payload("station", id, "state");
            const word = Object.hasOwn(STATION_SHAPES, state?.state) ? state.state : "unknown";
            setData(item, { station: id, state: word });
            setSentence(item.firstElementChild, [{ name: site.nameOf("stations", id) }]);
            setSentence(item.lastElementChild, [`${STATION_SHAPES[word]} ${stationWords(word, state, info, now)}`]);
        });
        return !at.hidden;
    }

    return {
        element,
        draw(now) {
            if (!may) return;
            const isWorkout = drawWorkout(site.payload("user", user, "workout"), now);
            const isPlace = drawPlace(site.payload("user", user, "presence"), now);
            element.hidden = !isWorkout && !isPlace;
        },
    };
}
