import { openForm } from "../kit/box.js";
import { make, makeLink, makeSection, setData, setName, setSentence, setText, showList } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { kilograms, t } from "../words/words.js";
import { estimateWords, exerciseName, netTime, recordWords, setDetails, setWords, sumWords } from "./training.js";
import { stateWords, timeWords, volumeWords } from "./workout-lines.js";
import { of } from "./whose.js";
import { makeWorkoutNotes } from "./workout-notes.js";

/** One workout: what it came to, then its exercises with every set. One that is open is followed live. */
export default function workoutTold(main, tools) {
    const { site, session, api, time, clock, params, announce } = tools;
    const title = make("bdi", "", t("page.workout-told"));
    main.querySelector("h1").replaceChildren(title);
    const sums = make("dl", "figures told-figures");
    const records = make("ul", "told-records");
    records.setAttribute("aria-label", t("told.sum.records"));
    const state = make("p", "state");
    const cards = make("div", "told-exercises");
    const none = make("p", "empty-list", t("workout.no-sets"));
    const stays = make("ul", "plain");
    const staySection = makeSection(t("told.stations"), stays);
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
    const all = make("div", "told", make("div", "panel workout-now", sums, records, state), cards, none,
        notes.element, staySection, pauseSection, cancel, back);
    all.hidden = true;
    let line = null;
    let exercises = new Map();
    /** The set of which the details are shown. */
    let open = null;
    const part = makePart(async () => {
        const [{ workout }, rows] = await Promise.all([
            api.get(`/api/v1/workouts/${encodeURIComponent(params.id)}`), api.all("/api/v1/exercises", "exercises"),
        ]);
        line = workout;
        exercises = new Map(rows.map((one) => [one.id, one]));
        drawLine();
        drawTime(clock.now());
        all.hidden = false;
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
        const groups = byExercise(line.sets);
        const starred = groups.map(({ id, sets }) => ({ id, sets: sets.filter(isRecord) }))
            .filter(({ sets }) => sets.length > 0);
        showList(records, starred, ({ id }) => id, () => make("li"), (item, { id, sets }) =>
            setSentence(item, ["★ ", { name: nameOf(id) }, ` ${sets.map(setWords).join(", ")}`]));
        records.hidden = starred.length === 0;
        drawSets(groups);
        none.hidden = groups.length > 0;
        showList(stays, line.stations, (one) => String(one.from_ms), () => make("li"), (item, one) =>
            setSentence(item, [{ name: site.nameOf("stations", one.station) }, ` · ${span(one.from_ms, one.to_ms)}`]));
        staySection.hidden = line.stations.length === 0;
        showList(pauses, line.pauses, (one) => String(one.from_ms), () => make("li"), (item, one) =>
            setText(item, `${span(one.from_ms, one.to_ms)} · ${t(`told.cause.${one.cause}`)}`));
        pauseSection.hidden = line.pauses.length === 0;
    }

    function drawSets(groups = byExercise(line.sets)) {
        showList(cards, groups, ({ id }) => id, ({ id }) => makeCard(id), (card, { id, sets }) => {
            const [head, total, chips, facts] = card.children;
            setText(head.firstElementChild, nameOf(id));
            setText(total, sumWords(sets.length, volumeOf(sets)));
            const numbered = sets.map((set, index) => ({ set, number: index + 1 }));
            showList(chips, numbered, ({ set }) => set.id, () => makeChip(facts, toggle),
                (chip, one) => drawChip(chip, one, one.set.id === open));
            const shown = numbered.find(({ set }) => set.id === open);
            showList(facts.firstElementChild, shown === undefined ? [] : factsOf(shown, time, site), ([name]) => name,
                () => make("div", "", make("dt"), make("dd")), (row, [name, fact]) => {
                    setText(row.firstElementChild, t(`told.fact.${name}`));
                    if (typeof fact === "string") setText(row.lastElementChild, fact);
                    else setName(row.lastElementChild, fact.name);
                });
            facts.firstElementChild.hidden = shown === undefined;
        });
    }

    /** Shows the details of a set in the place of another's, or takes them away. */
    function toggle(id) {
        open = id === open ? null : id;
        drawSets();
    }

    /** Draws what changes while nothing comes. */
    function drawTime(now) {
        cancel.hidden = line.cause !== "stated" || line.state !== "completed" || line.user !== session.user;
        notes.draw({ id: line.id, user: line.user, isOpen: line.ended_ms === null }, now);
        setSentence(state, [...(line.title ? [{ name: line.title }, " · "] : []), [stateWords(line.state),
            span(line.started_ms, line.ended_ms), t(`told.begun.${line.cause}`)].join(" · ")]);
        const figures = [
            ["time", timeWords(netTime(line, now))], ["sets", String(line.sets.length)],
            ...(line.volume_kg > 0 ? [["volume", volumeWords(line.volume_kg)]] : []),
            ["records", String(line.sets.filter(isRecord).length)],
        ];
        showList(sums, figures, ([name]) => name, () => make("div", "", make("dt"), make("dd")), (box, [name, words]) => {
            setData(box, { sum: name });
            setText(box.firstElementChild, t(`told.sum.${name}`));
            setText(box.lastElementChild, words);
        });
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
            drawTime(clock.now() ?? now);
        },
    };
}

/** Whether a set was the best so far. */
function isRecord({ records }) {
    return records.length > 0;
}

/** The sets of each exercise, in the order in which the exercises were begun. */
function byExercise(sets) {
    const groups = new Map();
    for (const set of sets) groups.set(set.exercise, [...groups.get(set.exercise) ?? [], set]);
    return [...groups].map(([id, mine]) => ({ id, sets: mine }));
}

/** What sets move together, in kilograms; warm-ups do not count. */
function volumeOf(sets) {
    return Math.round(sets.reduce((sum, { kind, reps = 0, weight_kg: weight = 0 }) =>
        sum + (kind === "warm-up" ? 0 : reps * weight), 0));
}

/** The card of an exercise: its sets in a line, and below it the details of one of them. */
function makeCard(id) {
    const chips = make("ul", "set-chips");
    chips.setAttribute("aria-label", t("workout.sets"));
    const facts = make("div", "set-facts", make("dl"));
    facts.id = `set-facts-${id}`;
    facts.setAttribute("aria-live", "polite");
    const card = makeSection(make("bdi"), make("p", "detail"), chips, facts);
    card.className = "card told-exercise";
    setData(card, { exercise: id });
    return card;
}

/** A set as a button, which shows its details. */
function makeChip(facts, toggle) {
    const button = makeButton("", () => toggle(item.dataset.set), "set-chip");
    button.setAttribute("aria-controls", facts.id);
    const item = make("li", "", button);
    return item;
}

/** Draws it: `42.5 × 10 W`, and in whole words to who cannot see it. */
function drawChip(item, { set, number }, isOpen) {
    const button = item.firstElementChild;
    setData(item, { set: set.id, kind: set.kind, record: isRecord(set) ? "true" : null });
    // That weights are in kilograms stands above.
    const words = setWords(set).replace(/ kg(?= ×)/, "");
    const marks = [words, ...(set.kind === "working" ? [] : [t(`told.mark.${set.kind}`)]),
        ...(isRecord(set) ? ["★"] : [])].join(" ");
    setSentence(button, [marks, ...(set.rir === undefined ? [] : [" ",
        { text: make("small", "", t("told.left", { n: set.rir })) }])]);
    button.setAttribute("aria-expanded", String(isOpen));
    button.setAttribute("aria-label", [t("workout.set-number", { n: number }), amountWords(set), ...setDetails(set),
        ...(isRecord(set) ? [t("told.record", { kinds: recordWords(set.records) })] : [])].join(", "));
}

/** `85 kg, 8 reps`: a set as one would read it out. */
function amountWords(set) {
    return set.weight_kg === undefined || set.reps === undefined ? setWords(set) :
        `${kilograms(set.weight_kg)}, ${t("training.reps", { n: set.reps })}`;
}

/** What is told of a set, `[name, words]`, where words of people are `{ name }`. */
function factsOf({ set, number }, time, site) {
    return [
        ["set", `${number} · ${setWords(set)}`],
        ...(isRecord(set) ? [["record", `★ ${recordWords(set.records)}`]] : []),
        ...(set.kind === "working" ? [] : [["kind", t(`training.kind.${set.kind}`)]]),
        ...(set.rir === undefined ? [] : [["rir", String(set.rir)]]),
        ...(set.e1rm_kg === undefined ? [] :
            [["e1rm", estimateWords(set.e1rm_kg, set.e1rm_confidence === "low")]]),
        ["time", time.clock(set.at_ms)],
        ...(set.station === undefined ? [] : [["station", { name: site.nameOf("stations", set.station) }]]),
        ...(set.note === undefined ? [] : [["note", { name: set.note }]]),
    ];
}
