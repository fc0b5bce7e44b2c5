import { Refusal } from "../data/api.js";
import { make, setData, setSentence, setText } from "../kit/element.js";
import { makeForm, refusalWords } from "../kit/form.js";
import { elapsed, known, sentence, t } from "../words/words.js";

/** What whoever looks does with stations: train there, wait, take what is kept for them. */

/** So long after a change was told it is stored, too, in milliseconds. */
const STORED_MS = 1_000;

/** Whether somebody trains, paused or not. */
export function isTraining(workout) {
    return ["active", "paused"].includes(workout?.state);
}

/** How many slots of a station nobody but `user` holds, and none is kept of. */
export function freeSlots(state, info, user = "") {
    const slots = state?.slots ?? info?.slots ?? 1;
    const by = (state?.by ?? []).filter((one) => one !== user).length + (state?.others_by ?? state?.others ?? 0);
    return Math.max(0, slots - by - (state?.offered?.length ?? 0) - (state?.others_offered ?? 0));
}

/** The wait of whoever looks, asked for again whenever a queue has changed. */
export function makeOwnWait({ api, session, site, drawSoon }) {
    const user = session.user;
    const may = user !== "" && session.may("workouts.write", "own");
    let heard = null;
    let isAsked = false;
    const own = {
        may, user, wait: null, fault: "",
        async load() {
            if (!may || isAsked) return;
            isAsked = true;
            try {
                own.wait = (await api.get(`/api/v1/waits?user=${encodeURIComponent(user)}`)).waits[0] ?? null;
                own.fault = "";
            } catch (error) {
                if (!(error instanceof Refusal)) throw error;
                own.fault = refusalWords(error)[0];
            } finally {
                isAsked = false;
            }
            drawSoon();
        },
        draw() {
            const queues = site.listed("stations").map((station) => {
                const state = site.payload("station", station, "state");
                return [state?.queue ?? 0, state?.offered ?? []];
            });
            const told = JSON.stringify([queues, site.payload("user", user, "workout")?.station ?? null]);
            if (told === heard || isAsked) return;
            heard = told;
            own.load();
            // What is told at once may be stored a moment later.
            setTimeout(own.load, STORED_MS);
        },
    };
    return own;
}

/** What may be done at a station, as buttons, and what is kept for whoever looks. */
export function makeStationUse({ api, site, announce }, station, own) {
    const path = `/api/v1/stations/${encodeURIComponent(station)}/queue`;
    const ask = (method, address, body, said) => async (values, key) => {
        await api.ask(method, address, { body: { user: own.user, ...body }, key });
        announce(t(said));
        await own.load();
    };
    const act = (name, send, className = "") => {
        const form = makeForm({ go: t(`station.${name}`), fields: [], send, className });
        form.dataset.act = name;
        form.hidden = true;
        return form;
    };
    const acts = {
        accept: act("accept", ask("POST", `${path}/accept`, {}, "station.accepted")),
        start: act("start", ask("POST", "/api/v1/workouts", { station }, "station.accepted")),
        move: act("move", ask("POST", "/api/v1/workouts/current/move", { station }, "station.accepted")),
        wait: act("wait", ask("POST", path, {}, "station.waiting-now")),
        leave: act("leave", ask("DELETE", path, {}, "station.left")),
    };
    acts.leave.querySelector("button").className = "quiet";
    const words = make("p", "own-use");
    words.setAttribute("role", "status");
    const fault = make("p", "fault");
    const element = make("div", "station-use", words, fault, make("div", "buttons", ...Object.values(acts)));
    return {
        element,
        draw(now) {
            element.hidden = !own.may;
            if (!own.may) return;
            const state = site.payload("station", station, "state");
            const workout = site.payload("user", own.user, "workout");
            const isHere = isTraining(workout) && workout.station === station;
            const { wait } = own;
            const waitsHere = wait?.station === station;
            const until = waitsHere ? known(wait.offered_until_ms) : null;
            const isOut = state?.state === "out_of_order";
            const isFree = freeSlots(state, site.payload("station", station, "info"), own.user) > 0 && !isOut;
            const shown = new Set(waitsHere ? [...(until === null ? [] : ["accept"]), "leave"] :
                isHere || isOut ? [] :
                isFree ? [isTraining(workout) ? "move" : "start"] :
                wait === null ? ["wait"] : []);
            for (const [name, form] of Object.entries(acts)) form.show(shown.has(name));
            setData(element, { state: until === null ? null : "offered" });
            setSentence(words, until !== null ?
                [t("station.kept-for-you", { time: elapsed(Math.max(0, until - now)) })] :
                waitsHere ? [wait.ahead === 0 ? t("station.next") : t("station.ahead", { n: wait.ahead })] :
                isHere ? [t(workout.state === "paused" ? "station.you-paused" : "station.you-train")] :
                wait !== null ?
                    sentence("station.wait-elsewhere", { place: { name: site.nameOf("stations", wait.station) } }) :
                []);
            fault.hidden = own.fault === "";
            setText(fault, own.fault);
        },
    };
}
