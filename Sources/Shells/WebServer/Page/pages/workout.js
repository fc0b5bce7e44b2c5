import { make, makeLink, makeSection, setSentence } from "../kit/element.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";
import { SetBox } from "../data/set-box.js";
import { SetSender, newSetID } from "../data/set-sender.js";
import { makeRest } from "./rest.js";
import { makeSetEntry } from "./set-entry.js";
import { makeSetList } from "./set-list.js";
import { isTraining } from "./station-use.js";
import { exerciseName } from "./training.js";
import { REOPENED_MS, makeWorkoutNow } from "./workout-now.js";

/** So many workouts back what was lifted last is looked for. */
const REMEMBERED = 20;
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
    const sender = new SetSender(api, box, (id, answer) => {
        takeAnswer(id, answer);
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
    let isReady = false;
    let askedAt = -Infinity;
    /** Takes up a workout as it is stored now. */
    async function loadLine(id) {
        askedAt = performance.now();
        // What comes too late is asked for again, as its revision is an old one.
        const answer = await api.get(`/api/v1/workouts/${id}`).catch(() => null);
        if (answer !== null) book.line = answer.workout;
        drawSoon();
    }
    function takeAnswer(id, { set, rev, records }) {
        if (book.line?.id === id) {
            book.line.sets = [...book.line.sets.filter((one) => one.id !== set.id), { ...set, rev, records }]
                .sort((a, b) => a.at_ms - b.at_ms);
        }
        if (records.length > 0) announce(t("workout.record-now"));
    }

    /** The sets of a workout, the newest first: those that are stored, and those that wait here. */
    function lines(id) {
        const all = new Map((book.line?.id === id ? book.line.sets : [])
            .map((set) => [set.id, { set, fault: null, isWaiting: false }]));
        for (const row of box.rows().filter((one) => one.workout === id)) {
            all.set(row.id, { set: { ...row.set, rev: all.get(row.id)?.set.rev }, fault: row.fault, isWaiting: true });
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
        async change({ set, isWaiting }, members) {
            const row = box.row(set.id);
            if (isWaiting && row !== undefined) {
                const { id, at_ms, station } = row.set;
                const changed = { id, ...members, at_ms, ...(station === undefined ? {} : { station }) };
                await box.put({ ...row, set: changed, isChanged: row.isTried, fault: null });
                sender.flushNow();
            } else {
                const { exercise, ...rest } = members;
                const { data } = await api.ask("PATCH", setPath(set.id), {
                    body: { weight_kg: null, rir: null, note: null, ...rest, rev: set.rev },
                });
                takeAnswer(book.line.id, data);
            }
            announce(t("workout.kept"));
            drawSoon();
        },
        async remove({ set, isWaiting }) {
            if (isWaiting) {
                await box.remove(set.id);
            } else {
                await api.ask("DELETE", setPath(set.id));
                book.line.sets = book.line.sets.filter(({ id }) => id !== set.id);
            }
            announce(t("workout.deleted"));
            drawSoon();
        },
        async again({ set }) {
            await box.put({ ...box.row(set.id), fault: null });
            sender.flushNow();
            drawSoon();
        },
    };
    const setPath = (id) => `/api/v1/workouts/${book.line.id}/sets/${id}`;

    const now = makeWorkoutNow(tools, user);
    const rest = makeRest(announce);
    const entry = makeSetEntry(tools, book, acts, async (set, workoutNow) => {
        rest.unlock();
        const at = Math.max(workoutNow.started_ms, Math.round(clock.now()));
        const whole = { id: newSetID(), ...set, at_ms: at };
        await box.put({
            id: whole.id, workout: workoutNow.id, set: whole, isTried: false, isChanged: false, fault: null,
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
    main.append(part.element, forgetful, now.element, rest.element, entry.element, kept, doneSection, leftSection,
        rest.choice, make("div", "buttons", makeLink("/stations", t("station.all-stations")), now.cancel));
    part.load();
    sender.flush();
    window.addEventListener("online", () => {
        sender.flushNow();
        if (!isReady) part.load();
    });

    return {
        draw(moment) {
            const state = site.payload("user", user, "workout");
            const isStale = state?.id && (state.id !== book.line?.id || state.rev !== book.line.rev);
            if (isStale && performance.now() - askedAt >= RELOAD_MS) loadLine(state.id);
            // A disk that is full is told as soon as it is.
            forgetful.hidden = box.isLasting;
            const isOpen = isTraining(state);
            const isRecent = isOpen || (state?.ended_ms ?? 0) > moment - REOPENED_MS;
            const shown = state?.id && isRecent ? lines(state.id) : [];
            const waiting = box.rows().filter(({ fault }) => fault === null);
            now.draw(state, moment, { waiting: waiting.length, line: book.line?.id === state?.id ? book.line : null });
            const last = waiting.findLast(({ workout: id }) => id === state?.id)?.set;
            const ownRest = last === undefined ? null :
                last.at_ms + (book.exercises.get(last.exercise)?.rest_s ?? 0) * 1000;
            const restUntil = Math.max(ownRest ?? 0, state?.rest_until_ms ?? 0);
            rest.draw(isOpen && restUntil > 0 ? restUntil : null, moment);
            entry.draw(isReady && isOpen ? state : null);
            doneSection.hidden = !isRecent || !state?.id;
            done.draw(shown, moment);
            const others = [...new Set(box.rows().map((row) => row.workout))]
                .filter((id) => id !== state?.id || !isRecent)
                .flatMap((id) => lines(id).filter((one) => one.isWaiting));
            leftSection.hidden = others.length === 0;
            left.draw(others, moment);
            const refused = box.rows().length - waiting.length;
            kept.hidden = waiting.length + refused === 0;
            setSentence(kept, [[waiting.length > 0 ? t("workout.waiting", { n: waiting.length }) : "",
                refused > 0 ? t("workout.refused-count", { n: refused }) : ""].filter(Boolean).join(" ")]);
        },
    };
}
