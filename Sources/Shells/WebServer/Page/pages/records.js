import { make, makeLink, makeSection, setData, setName, setSentence, setText, showList } from "../kit/element.js";
import { makeSearch } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { compare, elapsed, kilograms, t } from "../words/words.js";
import { estimateWords, exerciseName, recordWords, setWords } from "./training.js";
import { makeWhose, of } from "./whose.js";

/** What is shown of an exercise, as far as it has it, in this order. */
const KINDS = ["weight", "e1rm", "reps", "volume", "duration", "distance"];
/** So long a record is new, in milliseconds. */
const NEW_MS = 30 * 86_400_000;
/** So many exercises are found without a search. */
const FEW = 8;

/** The best that somebody has done of each exercise: a card each, what was improved last on top. */
export default function records(main, tools) {
    const { site, session, api, time, clock } = tools;
    const whose = makeWhose(tools, () => reload());
    const newest = makeLink("#", make("span", "detail", t("records.newest")), make("strong"), make("span", "detail"));
    newest.className = "panel newest-record";
    const search = makeSearch(t("records.search"), () => drawCards());
    search.element.hidden = true;
    const cards = make("ul", "cards");
    cards.id = "record-cards";
    const missing = make("p", "empty-list", t("records.not-found"));
    const none = make("p", "empty-list", t("records.none"));
    const begin = makeLink("/workout", t("workout.begin"));
    begin.className = "button go next";
    const nobody = make("p", "panel", t("history.choose"));
    const back = makeLink("#", t("page.history"));
    let asked = null;
    let exercises = [];
    const part = makePart(async () => {
        const { user } = whose;
        if (user === "") return;
        const [{ records: bests }, all] = await Promise.all([
            api.get(of("/api/v1/records", user)), api.all("/api/v1/exercises", "exercises"),
        ]);
        if (user !== whose.user) return;
        const names = new Map(all.map((one) => [one.id, exerciseName(one)]));
        exercises = byExercise(bests, (id) => names.get(id) ?? site.nameOf("exercises", id));
        drawNewest();
        drawCards();
        const isEmpty = exercises.length === 0;
        none.hidden = !isEmpty;
        begin.hidden = !isEmpty || user !== session.user || !session.may("workouts.write", "own");
        box.hidden = false;
    });
    const box = make("div", "record-box", newest, search.element, cards, missing, none, begin);
    const section = makeSection(t("records.best"), part.element, box, make("p", "detail", t("records.lead")));
    main.append(whose.element, nobody, section, back);

    function drawNewest() {
        newest.hidden = exercises.length === 0;
        if (newest.hidden) return;
        const [{ name, figures, at }] = exercises;
        const { workout } = figures.find(({ at_ms: moment }) => moment === at);
        // Of all that was reached in that workout, the heaviest says most.
        const [best] = figures.filter((one) => one.workout === workout);
        const kinds = figures.filter(({ set }) => set === best.set).map(({ kind }) => kind);
        newest.href = `/history/${workout}`;
        setSentence(newest.children[1],
            ["★ ", { name }, ` ${valueWords(best)} · ${time.longDay(time.date(best.at_ms))}`]);
        setText(newest.lastElementChild, recordWords(kinds));
    }

    function drawCards() {
        search.element.hidden = exercises.length <= FEW;
        const shown = exercises.filter(({ name }) => search.element.hidden || search.finds(name));
        showList(cards, shown, ({ id }) => id, makeCard, (card, one) => drawCard(card, one, time, clock.now() - NEW_MS));
        missing.hidden = shown.length > 0 || exercises.length === 0;
    }

    function reload() {
        nobody.hidden = whose.user !== "";
        section.hidden = whose.user === "";
        // Nobody's records stand under another's name.
        box.hidden = true;
        back.href = of("/history", whose.user);
        part.load();
    }

    return {
        draw() {
            whose.draw();
            if (asked === whose.user) return;
            asked = whose.user;
            reload();
        },
    };
}

/** The exercises with what is shown of each, `{ id, name, figures, at }`, those that were improved last first. */
function byExercise(bests, nameOf) {
    const found = new Map();
    for (const best of bests) found.set(best.exercise, [...found.get(best.exercise) ?? [], best]);
    return [...found].map(([id, mine]) => {
        const figures = KINDS.flatMap((kind) => mostOf(mine.filter((one) => one.kind === kind)));
        return { id, name: nameOf(id), figures, at: Math.max(...figures.map((one) => one.at_ms)) };
    }).sort((a, b) => b.at - a.at || compare(a.name, b.name));
}

/** Of repetitions there is a record at each weight: the most of them, and of as many the heaviest; none of none. */
function mostOf(bests) {
    const weight = (best) => best.weight_kg ?? 0;
    return [...bests].sort((a, b) => (b.reps ?? 0) - (a.reps ?? 0) || weight(b) - weight(a)).slice(0, 1);
}

/** The card of an exercise. */
function makeCard() {
    return make("li", "card record-card",
        make("div", "head", make("h3"), make("span", "new-mark", t("records.new"))), make("dl", "record-figures"));
}

/** Draws it; what was reached after `since` is new. */
function drawCard(card, { id, name, figures, at }, time, since) {
    const [head, list] = card.children;
    setData(card, { exercise: id });
    setName(head.firstElementChild, name);
    head.lastElementChild.hidden = at <= since;
    showList(list, figures, ({ kind }) => kind, makeFigure, (figure, best) => {
        const [label, value, when] = figure.children;
        const isNew = best.at_ms > since;
        setData(figure, { kind: best.kind, new: isNew ? "true" : null });
        label.firstElementChild.hidden = !isNew;
        setText(label.lastElementChild, t(`records.kind.${best.kind}`));
        setText(value, valueWords(best));
        when.firstElementChild.href = `/history/${best.workout}`;
        setText(when.firstElementChild, time.longDay(time.date(best.at_ms)));
    });
}

/** A record: what it is of, how much, and the day, which leads to its workout. */
function makeFigure() {
    const star = make("span", "star", "★ ");
    star.setAttribute("role", "img");
    star.setAttribute("aria-label", t("records.new"));
    return make("div", "", make("dt", "", star, make("span")), make("dd", "value"), make("dd", "", makeLink("#")));
}

/** How much a record is. */
function valueWords(best) {
    switch (best.kind) {
    case "e1rm": return estimateWords(best.e1rm_kg);
    case "volume": return kilograms(best.volume_kg);
    case "duration": return elapsed(best.duration_s * 1000);
    default: return setWords(best);
    }
}
