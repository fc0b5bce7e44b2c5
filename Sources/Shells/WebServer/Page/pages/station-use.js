import { make, setData, setSentence } from "../kit/element.js";
import { makeForm } from "../kit/form.js";
import { elapsed, known, sentence, t } from "../words/words.js";

/** What whoever looks does with stations: train there, wait, take what is kept for them. */

/** So long a button stays pressed if nothing is told of what was done, in milliseconds: the line may be lost. */
const TOLD_MS = 5_000;

/** Whether somebody trains, paused or not. */
export function isTraining(workout) {
    return ["active", "paused"].includes(workout?.state);
}

/** How many slots of a station nobody holds and are kept for nobody; those of `user` count as free. */
export function freeSlots(state, info, user = "") {
    const slots = state?.slots ?? info?.slots ?? 1;
    const by = (state?.by ?? []).filter((one) => one !== user).length + (state?.others_by ?? state?.others ?? 0);
    const offered = (state?.offered ?? []).filter((one) => one.user !== user).length + (state?.others_offered ?? 0);
    return Math.max(0, slots - by - offered);
}

/** Who looks, whether they may wait, and their wait as it was told; `null`: none. */
export function makeOwnWait({ session, site }) {
    const { user } = session;
    return {
        user, may: user !== "" && session.may("workouts.write", "own"),
        get wait() { return site.payload("user", user, "wait"); },
    };
}

/** What may be done at a station, as buttons, and what is kept for whoever looks. */
export function makeStationUse({ api, site, announce }, station, own) {
    const path = `/api/v1/stations/${encodeURIComponent(station)}/queue`;
    const act = (name, method, address, body, said) => {
        let release = () => {};
        const form = makeForm({
            go: t(`station.${name}`), fields: [],
            send: async (values, key) => {
                await api.ask(method, address, { body: { user: own.user, ...body }, key });
                announce(t(said));
                // What was done is told a moment later: until then nobody does it again.
                if (form.hidden) return;
                await new Promise((resolve) => {
                    release = resolve;
                    setTimeout(resolve, TOLD_MS);
                });
            },
        });
        form.dataset.act = name;
        form.hidden = true;
        const show = (isShown) => {
            form.show(isShown);
            if (!isShown) release();
        };
        return { name, form, show };
    };
    const leave = act("leave", "DELETE", path, {}, "station.left");
    leave.form.querySelector("button").className = "quiet";
    const acts = [
        act("accept", "POST", `${path}/accept`, {}, "station.accepted"),
        act("start", "POST", "/api/v1/workouts", { station }, "station.accepted"),
        act("move", "POST", "/api/v1/workouts/current/move", { station }, "station.accepted"),
        act("wait", "POST", path, {}, "station.waiting-now"),
        leave,
    ];
    const words = make("p", "own-use");
    words.setAttribute("role", "status");
    const element = make("div", "station-use", words, make("div", "buttons", ...acts.map(({ form }) => form)));
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
            for (const { name, show } of acts) show(shown.has(name));
            setData(element, { state: until === null ? null : "offered" });
            setSentence(words, until !== null ?
                [t("station.kept-for-you", { time: elapsed(Math.max(0, until - now)) })] :
                waitsHere ? [wait.ahead === 0 ? t("station.next") : t("station.ahead", { n: wait.ahead })] :
                isHere ? [t(workout.state === "paused" ? "station.you-paused" : "station.you-train")] :
                wait !== null ?
                    sentence("station.wait-elsewhere", { place: { name: site.nameOf("stations", wait.station) } }) :
                []);
        },
    };
}
