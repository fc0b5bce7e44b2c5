import { newSetID } from "../data/set-sender.js";
import { make, setData, setText, showList } from "../kit/element.js";
import { fillChoice, makeButton, makeChoice, makeForm } from "../kit/form.js";
import { addDays, compare, t } from "../words/words.js";
import { makeSetForm } from "./set-form.js";
import { setWords } from "./training.js";

/** With so many bytes of sets, some forty, a request has room for one more, whatever its note. */
const MOST_BYTES = 4_800;

/** A workout that is over: its day, its times, and what was done. */
export function makePastWorkout({ api, time, clock, announce }, user, book, acts) {
    let sets = [];
    const { element: choiceField, input: choice } = makeChoice("past-exercise", t("workout.exercise"), show);
    const list = make("ol", "past-sets");
    const full = make("p", "detail", t("workout.past-full"));
    const setForm = makeSetForm(t("workout.past-add"), async (set) => {
        sets = [...sets, { id: newSetID(), ...set }];
        drawSets();
    }, true);
    const form = makeForm({
        className: "past-times",
        go: t("workout.past-go"),
        fields: [
            { name: "date", label: t("workout.past-date"), kind: "date", isNeeded: true },
            { name: "from", label: t("workout.past-from"), kind: "time", isNeeded: true },
            { name: "to", label: t("workout.past-to"), kind: "time", isNeeded: true },
        ],
        check(values) {
            const { from, to } = moments(values);
            if (from === null) return ["from", t("attendance.skipped", { time: values.from })];
            if (to === null) return ["to", t("attendance.skipped", { time: values.to })];
            if (values.to === values.from) return ["to", t("workout.past-no-time")];
            return to > clock.now() ? ["to", t("workout.past-future")] : null;
        },
        async send(values, key) {
            const { from, to } = moments(values);
            // In their order, spread over the workout: when each was done nobody knows any more.
            const step = (to - from) / (sets.length + 1);
            await api.ask("POST", "/api/v1/workouts", {
                body: {
                    user, started_ms: from, ended_ms: to,
                    sets: sets.map((set, n) => ({ ...set, at_ms: Math.round(from + step * (n + 1)) })),
                }, key,
            });
            announce(t("workout.past-kept"));
            sets = [];
            form.startOver(yesterday());
            drawSets();
            element.open = false;
        },
    });
    form.dataset.act = "past";
    const element = make("details", "panel past-workout", make("summary", "", t("workout.past")),
        make("p", "detail", t("workout.past-lead")), list, full, choiceField, setForm.element, form);
    let isFilled = false;

    const yesterday = () => ({ date: addDays(time.date(clock.now()), -1), from: "", to: "" });

    /** One that ends by the clock before it begins ended on the next day. */
    function moments({ date, from, to }) {
        return { from: time.moment(date, from), to: time.moment(to > from ? date : addDays(date, 1), to) };
    }

    function show() {
        const exercise = book.exercises.get(choice.value);
        const isFull = new TextEncoder().encode(JSON.stringify(sets)).length > MOST_BYTES;
        full.hidden = !isFull;
        setForm.element.hidden = exercise === undefined || isFull;
        if (exercise !== undefined) setForm.show(exercise, sets.findLast((set) => set.exercise === exercise.id) ?? {});
    }

    function drawSets() {
        if (sets.length > 0) form.dataset.dirty = "true";
        showList(list, sets, ({ id }) => id, () => {
            const item = make("li", "past-set", make("span", "words"));
            item.append(makeButton(t("workout.past-remove"), () => {
                sets = sets.filter(({ id }) => id !== item.dataset.set);
                drawSets();
            }, "quiet"));
            return item;
        }, (item, set) => {
            setData(item, { set: set.id });
            setText(item.firstElementChild, `${acts.name(set.exercise)} · ${setWords(set)}`);
        });
        show();
    }

    return {
        element,
        draw(moment) {
            if (!isFilled && moment !== null) {
                isFilled = true;
                form.fill(yesterday());
            }
            const before = choice.value;
            fillChoice(choice, [...book.exercises.keys()].sort((a, b) => compare(acts.name(a), acts.name(b)))
                .map((id) => [id, acts.name(id)]));
            if (choice.value !== before) show();
        },
    };
}
