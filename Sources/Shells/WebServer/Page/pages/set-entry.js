import { make, makeSection, setData, setText, showList } from "../kit/element.js";
import { makeButton, makeChoice, makeOption } from "../kit/form.js";
import { NONE, compare, t } from "../words/words.js";
import { makeSetForm } from "./set-form.js";
import { MEASURES, setWords } from "./training.js";

/** What a set begins with of which nothing is known. */
const BEGINNING = { reps: 10, duration_s: 60, distance_m: 1000 };
/** Two taps within so many milliseconds are one, unless other values were typed between. */
const TWICE_MS = 500;

/**
 * The next set: its exercise, chosen by the station; its values as they were last; and one button.
 *
 * @param {object} book What is known of exercises and workouts, as `workout.js` keeps it.
 * @param {(set: object, workout: object) => Promise<void>} log
 */
export function makeSetEntry({ site, session, announce }, book, acts, log) {
    const { element: choiceField, input: choice } = makeChoice("exercise", t("workout.exercise"), () => {
        show();
        touch();
    });
    const first = make("p", "detail", t("workout.first-time"));
    const plan = make("ol", "set-plan");
    plan.setAttribute("aria-label", t("workout.plan"));
    const form = makeSetForm(t("workout.log"), async (set) => {
        const moment = performance.now();
        const text = JSON.stringify(set);
        // The second tap may come when the next exercise stands there.
        if (moment - logged.at < TWICE_MS && (text === logged.text || !isTouched)) return;
        logged = { at: moment, text };
        await log(set, workout);
        announce(t("workout.logged", { set: setWords(set) }));
        show();
    }, true);
    const element = makeSection(t("workout.next-set"), make("div", "panel set-entry",
        choiceField, first, plan, form.element));
    element.hidden = true;
    let logged = { at: -Infinity, text: "" };
    let workout = null;
    /** In which workout and at which station the exercise was chosen. */
    let chosenAt = null;
    /** Whether it was chosen, or filled in, without the sets before, and nobody has typed since. */
    let isProvisional = false;
    /** Whether the exercise was chosen by hand, or something typed, since a set was logged. */
    let isTouched = false;
    let filled = "";
    const touch = () => {
        isProvisional = false;
        isTouched = true;
    };
    form.element.addEventListener("input", touch);

    /** The sets of an exercise in the workout that is open, and in the last one before it that had any. */
    function earlier(exercise) {
        const now = book.lines(workout.id).map(({ set }) => set).filter((set) => set.exercise === exercise).reverse();
        const before = book.past.find((one) => one.id !== workout.id && one.state !== "cancelled" &&
            one.sets.some((set) => set.exercise === exercise));
        return { now, before: before?.sets.filter((set) => set.exercise === exercise) ?? [] };
    }

    /** Shows the exercise that is chosen, with the values of the set before. */
    function show() {
        isTouched = false;
        const exercise = book.exercises.get(choice.value);
        form.element.hidden = exercise === undefined;
        if (exercise === undefined) return;
        const { now, before } = earlier(exercise.id);
        const isWorking = ({ kind }) => kind !== "warm-up";
        const model = now.findLast(isWorking) ?? before.find(isWorking) ?? {};
        const measured = MEASURES[exercise.measure];
        form.show(exercise, { weight_kg: model.weight_kg, [measured]: model[measured] ?? BEGINNING[measured] });
        tell(exercise.id);
    }

    /** Says which set it is, and shows beside each what was done last time: a touch takes its values over. */
    function tell(exercise) {
        const { now, before } = earlier(exercise);
        form.label(t("workout.log-number", { n: now.length + 1 }));
        first.hidden = before.length + now.length > 0;
        plan.hidden = !first.hidden;
        const rows = Array.from({ length: Math.max(before.length, now.length + 1) },
            (_, index) => ({ index, before: before[index], now: now[index], isNext: index === now.length }));
        showList(plan, plan.hidden ? [] : rows, ({ index, before: set }) => `${exercise} ${index} ${set?.id ?? ""}`,
            (row) => makePlanned(row), drawPlanned);
    }

    function makePlanned({ index, before }) {
        const took = before === undefined ? make("span", "before", NONE) : makeButton(setWords(before), () => {
            form.show(book.exercises.get(choice.value), before);
            touch();
        }, "quiet before");
        if (before !== undefined) {
            took.setAttribute("aria-label", t("workout.take-over", { set: setWords(before) }));
        }
        return make("li", "", make("span", "number", String(index + 1)), took, make("span", "now"));
    }

    function drawPlanned(item, { now, isNext }) {
        setData(item, { state: now !== undefined ? "done" : isNext ? "next" : "later" });
        setText(item.lastElementChild, now !== undefined ? `✓ ${setWords(now)}` : isNext ? t("workout.next") : "");
    }

    /** The exercises: those of the station first, then those of the workout, then all others. */
    function fill(station) {
        const info = site.payload("station", station ?? "", "info");
        const here = (Array.isArray(info?.exercises) ? info.exercises : []).filter((id) => book.exercises.has(id));
        const mine = [...new Set(book.lines(workout.id).map(({ set }) => set.exercise))]
            .filter((id) => book.exercises.has(id) && !here.includes(id));
        const others = [...book.exercises.keys()].filter((id) => !here.includes(id) && !mine.includes(id))
            .sort((a, b) => compare(acts.name(a), acts.name(b)));
        const groups = [["workout.here", here], ["workout.in-this", mine], ["workout.others", others]];
        const key = JSON.stringify(groups);
        if (key !== filled) {
            filled = key;
            const { value } = choice;
            choice.replaceChildren(...groups.filter(([, ids]) => ids.length > 0).map(([word, ids]) => {
                const group = make("optgroup", "", ...ids.map((id) => makeOption([id, acts.name(id)])));
                group.label = t(word);
                return group;
            }));
            choice.value = value;
        }
        return { here, mine };
    }

    return {
        element,
        /** @param {object | null} state The open workout, or `null` while there is nothing to log. */
        draw(state) {
            element.hidden = state === null;
            const isOther = workout?.id !== state?.id;
            workout = state;
            if (state === null) return;
            const station = state.station ?? site.payload("user", session.user, "presence")?.station ?? null;
            const { here, mine } = fill(station);
            const place = `${state.id} ${station}`;
            const isKnown = book.line?.id === state.id;
            // Whoever steps away keeps what they are about to log.
            if (isOther || !isTouched && (place !== chosenAt || isKnown && isProvisional)) {
                // At another station another exercise is next: the one of it that was done last.
                chosenAt = place;
                isProvisional = !isKnown;
                const recent = [...book.lines(state.id).map(({ set }) => set.exercise),
                    ...book.past.flatMap(({ sets }) => sets.map(({ exercise }) => exercise).reverse())];
                choice.value = recent.find((id) => here.includes(id)) ?? here[0] ?? mine[0] ??
                    recent.find((id) => book.exercises.has(id)) ?? [...book.exercises.keys()][0] ?? "";
                show();
            } else if (book.exercises.has(choice.value)) {
                tell(choice.value);
            }
        },
    };
}
