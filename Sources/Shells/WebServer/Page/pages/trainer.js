import { Refusal } from "../data/api.js";
import { openForm } from "../kit/box.js";
import { make, makeLink, makeSection, setSentence, setText, showList } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { NONE, compare, known, elapsed, sentence, t } from "../words/words.js";
import { setFace, workoutWords } from "./presence.js";
import { isTraining } from "./station-use.js";
import { setWords } from "./training.js";

const COLUMNS = ["who", "station", "sets", "time", "last"];
/** The latest sets are asked for no more often, in milliseconds. */
const AGAIN_MS = 3_000;
/** The longest note, in characters. */
const MOST_NOTE = 500;

/**
 * Who trains now and who waits, for trainers: the server tells only of those who let them see it, and of the others how
 * many there are.
 */
export default function trainer(main, tools) {
    const { site, session, api, announce, drawSoon } = tools;
    const heads = make("div", "training-heads", ...COLUMNS.map((name) => make("span", "", t(`trainer.column.${name}`))));
    heads.setAttribute("aria-hidden", "true");
    const training = make("ul", "training-rows");
    training.id = "training-now";
    const nobody = make("p", "empty-list", t("trainer.nobody"));
    const others = make("p");
    const how = make("p", "detail", t("trainer.how", { page: t("page.me"), wish: t("me.training-shared") }));
    const asking = makeButton(t("trainer.ask"), () => openForm(t("trainer.ask"), t("trainer.ask-lead"), {
        go: t("trainer.ask-go"),
        send: async (_, key) => {
            const { data } = await api.ask("POST", "/api/v1/training/ask", { body: {}, key });
            announce(t(data.asked === 0 ? "trainer.asked-none" : "trainer.asked", { n: data.asked }));
        },
    }), "quiet");
    asking.id = "ask-to-share";
    asking.hidden = !session.may("workouts.write");
    const unshared = make("div", "training-unshared", others, how, make("div", "buttons", asking));
    unshared.id = "training-unshared";
    const waiting = make("ul", "plain");
    waiting.id = "waiting-now";
    const none = make("p", "empty-list", t("trainer.nobody-waits"));
    const activity = make("p", "links", makeLink("/activity/shared", t("page.activity-shared")));
    activity.hidden = !session.may("activity.shared");
    main.append(makeSection(t("trainer.training"), make("div", "training-table", heads, training), nobody, unshared),
        makeSection(t("trainer.waiting"), waiting, none), activity);
    const latest = makeLatest(api, drawSoon);
    return {
        draw(now) {
            const people = site.listed("users").map((user) => ({
                user, name: site.nameOf("users", user),
                workout: site.payload("user", user, "workout"), wait: site.payload("user", user, "wait"),
            })).sort((a, b) => compare(a.name, b.name));
            const shown = people.filter(({ workout }) => isTraining(workout));
            latest.follow(shown);
            heads.hidden = shown.length === 0;
            showList(training, shown, ({ user }) => user, (person) => makeTrainee(tools, person),
                (row, person) => drawTrainee(row, person, latest.of(person.workout), site, now));
            // Whoever sees everybody is told nothing of others: the counts come a moment apart.
            const hidden = session.role === "trainer" ? (site.own("state")?.workouts ?? 0) - shown.length : 0;
            unshared.hidden = hidden <= 0;
            setText(others, t("trainer.others", { n: Math.max(0, hidden) }));
            nobody.hidden = shown.length > 0 || hidden > 0;
            const waits = people.filter(({ wait }) => wait !== null)
                .sort((a, b) => a.wait.joined_ms - b.wait.joined_ms);
            showList(waiting, waits, ({ user }) => user, () => make("li"), (item, { name, wait }) => {
                const until = known(wait.offered_until_ms);
                setSentence(item, [{ name }, " · ",
                    { name: site.nameOf("stations", wait.station) }, ` · ${until === null ?
                        t("trainer.since", { time: elapsed(now - wait.joined_ms) }) :
                        t("trainer.offered", { time: elapsed(Math.max(0, until - now)) })}`]);
            });
            none.hidden = waits.length > 0;
        },
    };
}

/** The latest set of each workout that goes on, asked for anew whenever one of them has changed. */
function makeLatest(api, drawSoon) {
    /** From workout to its latest set. */
    let sets = new Map();
    let asked = "";
    let askedAt = -Infinity;

    async function load() {
        try {
            const { workouts } = await api.get("/api/v1/workouts?state=open&limit=100");
            sets = new Map(workouts.map((one) => [one.id, one.sets.at(-1) ?? null]));
            drawSoon();
        } catch (error) {
            // The next change, or the next look, asks again.
            if (!(error instanceof Refusal)) throw error;
            asked = "";
        }
    }

    return {
        /** Takes who trains as it is told live, which says how many sets there are and not which. */
        follow(people) {
            const key = JSON.stringify(people.map(({ workout }) => [workout.id, workout.rev]));
            if (key === asked || performance.now() - askedAt < AGAIN_MS) return;
            asked = key;
            askedAt = performance.now();
            if (people.some(({ workout }) => workout.sets > 0)) load();
        },
        /** The latest set of a workout; `null` if it has none, or none is known yet. */
        of: (workout) => sets.get(workout.id) ?? null,
    };
}

/** A row: who, where, how much, how long, the latest set, and what a trainer does about it. */
function makeTrainee(tools, { user }) {
    const face = make("span", "face");
    face.setAttribute("aria-hidden", "true");
    const buttons = make("span", "buttons");
    const row = make("li", "training-row", face, make("strong", "trainee-who", make("bdi")),
        ...COLUMNS.slice(1).map((column) => make("span", `trainee-${column}`)), buttons);
    if (tools.session.may("workouts.write")) {
        row.note = makeButton(t("trainer.note"), () => writeNote(tools, user));
        buttons.append(row.note);
    }
    row.look = makeLink("#", t("trainer.look"));
    row.look.className = "button";
    buttons.append(row.look);
    return row;
}

function drawTrainee(row, { user, name, workout }, set, site, now) {
    const [face, who, station, sets, time, last] = row.children;
    setFace(face, user, name);
    setText(who.firstElementChild, name);
    setSentence(station, workout.station === null ? [NONE] : [{ name: site.nameOf("stations", workout.station) }]);
    setText(sets, t("training.sets", { n: workout.sets ?? 0 }));
    setText(time, workoutWords(workout, now));
    setSentence(last, set === null ? [NONE] :
        [{ name: site.nameOf("exercises", set.exercise) }, ` · ${setWords(set)}`]);
    const address = `/history/${workout.id}`;
    if (row.look.getAttribute("href") !== address) row.look.href = address;
    for (const [element, key] of [[row.look, "trainer.look-at"], [row.note, "trainer.note-to"]]) {
        const label = t(key, { name });
        if (element && element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
    }
}

/** Asks for a note to the workout that somebody is at. */
function writeNote({ api, site, announce }, user) {
    const name = { name: site.nameOf("users", user) };
    // Another one may begin while somebody types.
    const { id } = site.payload("user", user, "workout");
    openForm(sentence("trainer.note-to", { name }), t("trainer.note-lead"), {
        go: t("notes.write"),
        fields: [{ name: "text", label: t("notes.new"), kind: "lines", isNeeded: true, most: MOST_NOTE }],
        send: async ({ text }, key) => {
            await api.ask("POST", `/api/v1/workouts/${id}/notes`, { body: { text }, key });
            announce(t("notes.written"));
        },
    });
}
