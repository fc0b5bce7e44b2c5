import { openForm } from "../kit/box.js";
import { make, makeLink, setData, setSentence, setText } from "../kit/element.js";
import { fillChoice, makeButton, makeForm } from "../kit/form.js";
import { elapsed, known, sentence, t } from "../words/words.js";
import { isTraining } from "./station-use.js";
import { sumWords, totalWords } from "./training.js";
import { stateWords } from "./workout-lines.js";

/** So long a workout that has ended can be taken back, in milliseconds. */
export const REOPENED_MS = 86_400_000;

/** The workout of whoever looks: its time, its station, and what is done with all of it. */
export function makeWorkoutNow({ api, site, time, announce }, user) {
    const clock = make("strong", "clock");
    const state = make("p", "state");
    const place = make("p", "place");
    const totals = make("p", "detail");
    const ask = (action, said, body = {}) => async (values, key) => {
        await api.ask("POST", `/api/v1/workouts/${current.id}/${action}`, { body: { ...body }, key });
        announce(t(said));
    };
    const act = (action, said) => {
        const form = makeForm({ go: t(`workout.${action}`), fields: [], send: ask(action, said) });
        form.dataset.act = action;
        return form;
    };
    const pause = act("pause", "workout.is-paused");
    const resume = act("resume", "workout.goes-on");
    const reopen = act("reopen", "workout.goes-on");
    const move = makeForm({
        go: t("station.move"), fields: [],
        send: (values, key) => ask("move", "station.accepted", { station: there })(values, key),
        explain: (refusal) => toQueue(refusal, there),
    });
    move.dataset.act = "move";
    const moveGo = move.querySelector("button.go");
    const finish = makeButton(t("workout.finish"), () => openForm(t("workout.finish-title"), finishWords(), {
        go: t("workout.finish"), send: ask("complete", "workout.finished"),
    }), "go");
    finish.dataset.act = "complete";
    const cancel = makeButton(t("workout.cancel"), () =>
        openForm(t("workout.cancel-title"), t("workout.cancel-lead"), {
            go: t("workout.cancel"), send: ask("cancel", "workout.cancelled-now"),
        }), "quiet");
    cancel.dataset.act = "cancel";
    const begin = makeForm({
        className: "begin", go: t("workout.begin"), isFilter: true,
        fields: [{
            name: "station", label: t("workout.station"), kind: "choice", options: [["", t("workout.anywhere")]],
        }],
        send: async ({ station }, key) => {
            await api.ask("POST", "/api/v1/workouts", { body: { user, ...(station === "" ? {} : { station }) }, key });
            announce(t("workout.begun"));
        },
        explain: (refusal, { station }) => toQueue(refusal, station),
    });
    begin.dataset.act = "begin";
    const open = make("div", "buttons", pause, resume, move, finish);
    const element = make("div", "panel workout-now",
        make("div", "now-line", clock, make("div", "words", state, place, totals)), open, begin, reopen);
    element.id = "workout-now";
    let current = null;
    /** Where whoever looks is, if that is a station. */
    let there = null;
    /** The station that was offered last; undefined: none yet. */
    let suggested;
    let waiting = 0;
    let totalText = "";

    function finishWords() {
        return [totalText, waiting > 0 ? t("workout.finish-waiting", { n: waiting }) : ""].filter(Boolean).join(" ");
    }

    return {
        element,
        /** What is seldom done, for the end of the page. */
        cancel,
        /** @param {{ waiting: number, line: object | null }} more How many sets wait here; the workout. */
        draw(workout, now, more) {
            current = workout;
            ({ waiting } = more);
            const isOpen = isTraining(workout);
            const isPaused = workout?.state === "paused";
            const seen = site.payload("user", user, "presence")?.station ?? null;
            // A station that was taken says nothing of the next one.
            if (seen !== there) move.tell("");
            there = seen;
            setData(element, { state: isOpen ? workout.state : "none" });
            clock.hidden = !isOpen;
            const end = isPaused ? workout.paused_since_ms ?? now : known(workout?.ended_ms) ?? now;
            const net = workout?.id ? end - workout.started_ms - (workout.paused_s ?? 0) * 1000 : 0;
            setText(clock, isOpen ? elapsed(net) : "");
            setText(state, !isOpen ? t("workout.none") :
                t(`workout.state-${workout.state}`, { time: time.short(workout.started_ms, now) }));
            drawPlace(isOpen ? workout : null);
            const isRecent = !isOpen && known(workout?.ended_ms) !== null && workout.ended_ms > now - REOPENED_MS;
            totalText = workout?.id ? totalWords(net, workout.sets ?? 0, workout.volume_kg ?? 0) : "";
            totals.hidden = !isOpen && !isRecent;
            setText(totals, isOpen ? sumWords(workout.sets, workout.volume_kg) : isRecent ? t("workout.ended", {
                state: stateWords(workout.state), time: time.short(workout.ended_ms, now), totals: totalText,
            }) : "");
            open.hidden = !isOpen;
            cancel.hidden = !isOpen;
            pause.show(isOpen && !isPaused);
            resume.show(isOpen && isPaused);
            move.show(isOpen && there !== null && there !== workout.station);
            setText(moveGo, there === null ? "" : t("workout.move-to", { place: site.nameOf("stations", there) }));
            begin.show(!isOpen);
            reopen.show(isRecent && ["completed", "abandoned"].includes(workout.state) && workout.cause !== "stated");
            if (isOpen) {
                // However it began, the next one is chosen anew.
                suggested = undefined;
                begin.fill({});
                return;
            }
            const stations = site.listed("stations").map((id) => [id, site.nameOf("stations", id)]);
            fillChoice(begin.field("station"), [["", t("workout.anywhere")], ...stations]);
            // Whoever goes to another station is offered that one, unless they have chosen.
            if (there !== suggested && !begin.isTyped("station")) {
                suggested = there;
                begin.fill({ station: there ?? "" });
            }
        },
    };

    /** Which station is held, and at which they are seen. */
    function drawPlace(workout) {
        const held = workout?.station ?? null;
        place.hidden = held === null && there === null;
        const name = (id) => {
            const address = `/stations/${encodeURIComponent(id)}`;
            return { text: makeLink(address, make("bdi", "", site.nameOf("stations", id))) };
        };
        setSentence(place, held !== null ? sentence("workout.at", { place: name(held) }) :
            there !== null ? sentence("workout.seen-at", { place: name(there) }) : []);
    }
}

/** The way to the queue of a station that is taken; `null` for other refusals. */
function toQueue({ code }, station) {
    if (code !== "station_in_use" || !station) return null;
    return { more: [" ", makeLink(`/stations/${encodeURIComponent(station)}`, t("workout.to-queue"))] };
}
