import { openForm } from "../kit/box.js";
import { make, makeLink, makeRow, makeSection, makeTable, setCell, setName, setSentence, setText, showList } from
    "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { elapsed, t } from "../words/words.js";
import { estimateWords, exerciseName, netTime, recordWords, setDetails, setWords, totalWords } from "./training.js";
import { stateWords } from "./workout-lines.js";
import { of } from "./whose.js";
import { makeWorkoutNotes } from "./workout-notes.js";

const SET_COLUMNS = ["when", "exercise", "set", "e1rm", "station", "details"];

/** One workout: its time, its stations and pauses, and every set. One that is open is followed live. */
export default function workoutTold(main, tools) {
    const { site, session, api, time, clock, params, announce } = tools;
    const title = make("bdi", "", t("page.workout-told"));
    main.querySelector("h1").replaceChildren(title);
    const state = make("p", "state");
    const totals = make("p", "detail");
    const columns = SET_COLUMNS.map((name) => t(`told.column.${name}`));
    const sets = makeTable(t("workout.sets"), columns, t("workout.no-sets"));
    const stays = make("ul", "plain");
    const pauses = make("ul", "plain");
    const pauseSection = makeSection(t("told.pauses"), pauses);
    const notes = makeWorkoutNotes(tools);
    const back = makeLink("/history", t("page.history"));
    const cancel = makeButton(t("workout.cancel"), () => openForm(t("workout.cancel-title"), t("workout.cancel-lead"), {
        go: t("workout.cancel"),
        send: async (values, key) => {
            await api.ask("POST", `/api/v1/workouts/${line.id}/cancel`, { body: { user: line.user }, key });
            announce(t("workout.cancelled-now"));
            part.load();
        },
    }), "quiet");
    cancel.dataset.act = "cancel";
    const all = make("div", "told", make("div", "panel workout-now", state, totals),
        makeSection(t("workout.sets"), sets.box), notes.element, makeSection(t("told.stations"), stays), pauseSection, cancel, back);
    all.hidden = true;
    let line = null;
    let exercises = new Map();
    const part = makePart(async () => {
        const [{ workout }, rows] = await Promise.all([
            api.get(`/api/v1/workouts/${encodeURIComponent(params.id)}`), api.all("/api/v1/exercises", "exercises"),
        ]);
        line = workout;
        exercises = new Map(rows.map((one) => [one.id, one]));
        all.hidden = false;
        drawLine();
    });
    main.append(part.element, all);
    const nameOf = (id) => exercises.has(id) ? exerciseName(exercises.get(id)) : site.nameOf("exercises", id);
    const span = (from, to) =>
        t("told.span", { from: time.clock(from), to: to === null ? t("told.now") : time.clock(to) });

    function drawLine() {
        const isOther = line.user !== session.user;
        const day = time.longDay(time.date(line.started_ms));
        setText(title, isOther ? `${site.nameOf("users", line.user)} · ${day}` : day);
        back.href = isOther ? of("/history", line.user) : "/history";
        showList(sets.rows, line.sets, ({ id }) => id, () => makeRow(columns), (row, set) => {
            const [when, exercise, what, e1rm, station, details] = row.children;
            setName(when, time.clock(set.at_ms));
            setSentence(exercise, [{ name: nameOf(set.exercise) }]);
            setCell(what, setWords(set));
            setCell(e1rm, set.e1rm_kg === undefined ? null :
                estimateWords(set.e1rm_kg, set.e1rm_confidence === "low"));
            if (set.station === undefined) setCell(station, null);
            else setSentence(station, [{ name: site.nameOf("stations", set.station) }]);
            const words = [...setDetails(set), ...(set.records.length > 0 ? [`★ ${recordWords(set.records)}`] : [])];
            setCell(details, words.length === 0 ? null : words.join(" · "));
        });
        showList(stays, line.stations, (one) => String(one.from_ms), () => make("li"), (item, one) =>
            setSentence(item, [{ name: site.nameOf("stations", one.station) }, ` · ${span(one.from_ms, one.to_ms)}`]));
        showList(pauses, line.pauses, (one) => String(one.from_ms), () => make("li"), (item, one) =>
            setText(item, `${span(one.from_ms, one.to_ms)} · ${t(`told.cause.${one.cause}`)}`));
        pauseSection.hidden = line.pauses.length === 0;
    }

    let isLoaded = false;
    let askedFor = null;
    return {
        draw(now) {
            if (!isLoaded) {
                isLoaded = true;
                part.load();
            }
            if (line === null) return;
            const told = site.payload("user", line.user, "workout");
            if (told?.id === line.id && told.rev !== line.rev && told.rev !== askedFor) {
                askedFor = told.rev;
                part.load();
            }
            cancel.hidden = line.cause !== "stated" || line.state !== "completed" || line.user !== session.user;
            notes.draw({ id: line.id, user: line.user, isOpen: line.ended_ms === null }, now);
            setText(state, [stateWords(line.state), span(line.started_ms, line.ended_ms),
                t(`told.begun.${line.cause}`)].join(" · "));
            const net = netTime(line, clock.now() ?? now);
            setText(totals, line.sets.length === 0 ? elapsed(net) : totalWords(net, line.sets.length, line.volume_kg));
        },
    };
}
