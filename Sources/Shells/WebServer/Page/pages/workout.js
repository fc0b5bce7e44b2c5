import { make, makeLink, makeSection, setSentence } from "../kit/element.js";
import { makeForm } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";
import { SetBox } from "../data/set-box.js";
import { SetSender, newSetID } from "../data/set-sender.js";
import { makePastWorkout } from "./past-workout.js";
import { makeRest } from "./rest.js";
import { makeSetEntry } from "./set-entry.js";
import { makeSetList } from "./set-list.js";
import { isTraining } from "./station-use.js";
import { exerciseName } from "./training.js";
import { makeWorkoutNotes } from "./workout-notes.js";
import { REOPENED_MS, makeWorkoutNow } from "./workout-now.js";
import { makeSummary } from "./workout-summary.js";

/** So many workouts back what was lifted last is looked for. */
const REMEMBERED = 20;
/** So long after its end a workout is summed up here, in milliseconds. */
const SUMMED_MS = 3_600_000;
/** A workout that has changed is asked for again at most so often, in milliseconds. */
const RELOAD_MS = 1_000;

/** Whoever looks trains: the time, the next set in one tap, the rest, and what was done. */
export default async function workout(main, tools) {
    const { site, session, api, time, clock, announce, drawSoon } = tools;
    if (session.user === "") {
        main.append(make("p", "panel", t("me.nobody")));
        return { draw() {} };
    }
    const user = session.user;
    const own = `user=${encodeURIComponent(user)}`;
    const box = await SetBox.open(user);
    const book = { exercises: new Map(), past: [], line: null, lines };
    const sender = new SetSender(api, box, (row, answer) => {
        if (answer === null) forget(row);
        else takeAnswer(row.workout, answer);
        // What is answered again says how it was; how it is now is asked for.
        if (row.isTried) isOutdated = true;
        drawSoon();
    }, drawSoon);

    const part = makePart(async () => {
        const [exercises, { workouts }] = await Promise.all([
            api.all("/api/v1/exercises", "exercises"),
            api.get(`/api/v1/workouts?${own}&limit=${REMEMBERED}`),
        ]);
        book.exercises = new Map(exercises.map((one) => [one.id, one]));
        book.past = workouts;
        isReady = true;
        drawSoon();
    });
    /** What is missing where there is nothing to train yet, and the way to it for whoever may. */
    const nothing = make("div", "panel no-exercises", make("p", "", t("workout.no-exercises")));
    nothing.hidden = true;
    if (session.may("places.write")) {
        const starter = makeForm({
            go: t("workout.starter"), fields: [],
            send: async (values, key) => {
                await api.ask("POST", "/api/v1/exercises/starter", { body: {}, key });
                announce(t("workout.starter-added"));
                part.load();
            },
        });
        starter.dataset.act = "starter";
        nothing.append(make("p", "detail", t("workout.starter-lead")), starter);
    } else {
        nothing.append(make("p", "detail", t("workout.ask-for-exercises")));
    }
    let isReady = false;
    let isOutdated = false;
    let askedAt = -Infinity;
    let wanted = null;
    /** Takes up a workout as it is stored now; what comes too late is asked for again, its revision being old. */
    const linePart = makePart(async () => {
        isOutdated = false;
        book.line = (await api.get(`/api/v1/workouts/${wanted}`)).workout;
        drawSoon();
    });
    linePart.element.hidden = true;
    function takeAnswer(id, { set, rev, records }) {
        if (book.line?.id === id) {
            book.line.sets = [...book.line.sets.filter((one) => one.id !== set.id), { ...set, rev, records }]
                .sort((a, b) => a.at_ms - b.at_ms);
        }
        if (records.length > 0) announce(t("workout.record-now"));
    }
    function forget({ id, workout }) {
        if (book.line?.id === workout) book.line.sets = book.line.sets.filter((set) => set.id !== id);
    }

    /** The sets of a workout, the newest first: those that are stored, and those that wait here. */
    function lines(id) {
        const all = new Map((book.line?.id === id ? book.line.sets : [])
            .map((set) => [set.id, { set, fault: null, isWaiting: false }]));
        for (const row of box.rows().filter((one) => one.workout === id)) {
            if (row.isDeleted && row.fault === null) all.delete(row.id);
            else all.set(row.id, { set: row.set, fault: row.fault, isWaiting: true });
        }
        const counts = new Map();
        return [...all.values()].sort((a, b) => a.set.at_ms - b.set.at_ms).map((line) => {
            const number = (counts.get(line.set.exercise) ?? 0) + 1;
            counts.set(line.set.exercise, number);
            return { ...line, workout: id, number, records: line.set.records ?? [] };
        }).reverse();
    }

    const acts = {
        exercise: (id) => book.exercises.get(id),
        name: (id) => book.exercises.has(id) ? exerciseName(book.exercises.get(id)) : site.nameOf("exercises", id),
        async change({ set, workout: id, isWaiting }, members) {
            const row = box.row(set.id);
            if (row !== undefined || isWaiting) {
                // One that was sent while it was looked at is corrected there, by its sender.
                const { at_ms, station } = set;
                const changed = { id: set.id, ...members, at_ms, ...(station === undefined ? {} : { station }) };
                const isTried = row?.isTried ?? true;
                await box.put({
                    id: set.id, workout: id, set: changed, isTried, isChanged: isTried, isDeleted: false, fault: null,
                });
                sender.flushNow();
            } else {
                const { exercise, ...rest } = members;
                const { data } = await api.ask("PATCH", `/api/v1/workouts/${id}/sets/${set.id}`, {
                    body: { weight_kg: null, rir: null, note: null, ...rest, rev: set.rev },
                });
                takeAnswer(id, data);
            }
            announce(t("workout.kept"));
            drawSoon();
        },
        async remove({ set, workout: id }) {
            const row = box.row(set.id);
            // A deletion that was refused can only be given up.
            if (row !== undefined && (!row.isTried || row.isDeleted && row.fault !== null)) {
                await box.remove(set.id);
                isOutdated = true;
            } else if (row !== undefined) {
                await box.put({ ...row, isDeleted: true, fault: null });
                sender.flushNow();
            } else {
                await api.ask("DELETE", `/api/v1/workouts/${id}/sets/${set.id}`);
                forget({ id: set.id, workout: id });
            }
            announce(t("workout.deleted"));
            drawSoon();
        },
        async again({ set }) {
            const row = box.row(set.id);
            if (row === undefined || row.fault === null) return;
            await box.put({ ...row, fault: null });
            sender.flushNow();
            drawSoon();
        },
    };

    const now = makeWorkoutNow(tools, user);
    const summary = makeSummary(acts.name);
    const rest = makeRest(announce);
    const notes = makeWorkoutNotes(tools);
    const past = makePastWorkout(tools, user, book, acts);
    const entry = makeSetEntry(tools, book, acts, async (set, workoutNow) => {
        rest.unlock();
        const at = Math.max(workoutNow.started_ms, Math.round(clock.now()));
        const whole = { id: newSetID(), ...set, at_ms: at };
        await box.put({
            id: whole.id, workout: workoutNow.id, set: whole, isTried: false, isChanged: false, isDeleted: false,
            fault: null,
        });
        sender.flush();
        drawSoon();
    });
    const done = makeSetList(time, acts);
    const left = makeSetList(time, acts);
    const doneSection = makeSection(t("workout.sets"), ...done.children);
    const leftSection = makeSection(
        t("workout.unsent"), make("p", "detail", t("workout.unsent-lead")), ...left.children);
    const kept = make("p", "detail");
    kept.setAttribute("role", "status");
    const forgetful = make("p", "fault", t("workout.forgetful"));
    forgetful.hidden = true;
    main.append(part.element, linePart.element, forgetful, now.element, summary.element, rest.element, nothing, entry.element, kept, doneSection,
        leftSection, notes.element, rest.choice, past.element,
        make("div", "buttons", makeLink("/stations", t("station.all-stations")), now.cancel));
    part.load();
    sender.flush();
    window.addEventListener("online", () => {
        sender.flushNow();
        if (!isReady) part.load();
    });

    return {
        draw(moment) {
            const state = site.payload("user", user, "workout");
            const isStale = state?.id && (isOutdated || state.id !== book.line?.id || state.rev !== book.line.rev);
            if (isStale && performance.now() - askedAt >= RELOAD_MS) {
                askedAt = performance.now();
                wanted = state.id;
                linePart.load();
            }
            // A disk that is full is told as soon as it is.
            forgetful.hidden = box.isLasting;
            const isOpen = isTraining(state);
            const isRecent = isOpen || (state?.ended_ms ?? 0) > moment - REOPENED_MS;
            const shown = state?.id && isRecent ? lines(state.id) : [];
            const refused = box.rows().filter(({ fault }) => fault !== null).length;
            const waiting = box.rows().filter(({ fault, isDeleted }) => fault === null && !isDeleted);
            now.draw(state, moment, { waiting: waiting.length, line: book.line?.id === state?.id ? book.line : null });
            summary.draw(!isOpen && state?.ended_ms > moment - SUMMED_MS && state.state === "completed" && book.line?.id === state.id ?
                book.line : null, moment);
            const last = waiting.findLast(({ workout: id }) => id === state?.id)?.set;
            const ownRest = last === undefined ? null :
                last.at_ms + (book.exercises.get(last.exercise)?.rest_s ?? 0) * 1000;
            const restUntil = Math.max(ownRest ?? 0, state?.rest_until_ms ?? 0);
            rest.draw(isOpen && restUntil > 0 ? restUntil : null, moment);
            nothing.hidden = !isReady || book.exercises.size > 0;
            entry.draw(!site.isKept && isReady && isOpen && book.exercises.size > 0 ? state : null);
            notes.draw(state?.id && isRecent ? { id: state.id, user, isOpen } : null, moment);
            past.draw(moment);
            doneSection.hidden = !isRecent || !state?.id;
            done.draw(shown, moment, book.line?.id === state?.id);
            const others = [...new Set(box.rows().map((row) => row.workout))]
                .filter((id) => id !== state?.id || !isRecent)
                .flatMap((id) => lines(id).filter(({ isWaiting }) => isWaiting));
            leftSection.hidden = others.length === 0;
            left.draw(others, moment);
            kept.hidden = waiting.length + refused === 0;
            setSentence(kept, [[waiting.length > 0 ? t("workout.waiting", { n: waiting.length }) : "",
                refused > 0 ? t("workout.refused-count", { n: refused }) : ""].filter(Boolean).join(" ")]);
        },
    };
}
