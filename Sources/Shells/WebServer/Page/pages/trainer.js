import { make, makeLink, makeSection, setName, setSentence, setText, showList } from "../kit/element.js";
import { makePart } from "../kit/part.js";
import { compare, known, elapsed, t } from "../words/words.js";
import { setFace, workoutWords } from "./presence.js";
import { isTraining } from "./station-use.js";
import { sumWords } from "./training.js";

/** So long after a change was told it is stored, too, in milliseconds. */
const STORED_MS = 1_000;

/** Who trains now and who waits, for trainers: of those who let them see it. */
export default function trainer(main, tools) {
    const { site, api, session, drawSoon } = tools;
    const training = make("ul", "chips");
    training.id = "training-now";
    const nobody = make("p", "empty-list", t("trainer.nobody"));
    const waiting = make("ul", "plain");
    waiting.id = "waiting-now";
    const none = make("p", "empty-list", t("trainer.nobody-waits"));
    let waits = [];
    let visible = null;
    const part = makePart(async () => {
        const [{ waits: found }, workouts] = await Promise.all([
            api.get("/api/v1/waits"), api.all("/api/v1/workouts?state=open&limit=100", "workouts"),
        ]);
        waits = found;
        // Of whom nothing may be seen, the server tells nothing.
        visible = new Set(workouts.map(({ id }) => id));
        drawSoon();
    });
    const activity = make("p", "links", makeLink("/activity/shared", t("page.activity-shared")));
    activity.hidden = !session.may("activity.shared");
    main.append(part.element, makeSection(t("trainer.training"), training, nobody),
        makeSection(t("trainer.waiting"), waiting, none), activity);
    let heard = "";
    return {
        draw(now) {
            const people = site.listed("users").map((user) => {
                const workout = site.payload("user", user, "workout");
                return { user, name: site.nameOf("users", user), workout };
            }).filter(({ workout }) => isTraining(workout));
            const told = JSON.stringify([people.map(({ workout }) => workout.id),
                site.listed("stations").map((id) => {
                    const state = site.payload("station", id, "state");
                    return [state?.queue, state?.offered];
                })]);
            if (told !== heard) {
                heard = told;
                part.load();
                setTimeout(part.load, STORED_MS);
            }
            const shown = people.filter(({ workout }) => visible?.has(workout.id))
                .sort((a, b) => compare(a.name, b.name));
            showList(training, shown, ({ user }) => user, makeChip,
                (chip, person) => drawChip(chip, person, site, now));
            nobody.hidden = shown.length > 0;
            showList(waiting, waits, ({ user }) => user, () => make("li"), (item, wait) => {
                const until = known(wait.offered_until_ms);
                setSentence(item, [{ name: site.nameOf("users", wait.user) }, " · ",
                    { name: site.nameOf("stations", wait.station) }, ` · ${until === null ?
                        t("trainer.since", { time: elapsed(now - wait.joined_ms) }) :
                        t("trainer.offered", { time: elapsed(Math.max(0, until - now)) })}`]);
            });
            none.hidden = waits.length > 0;
        },
    };
}

function makeChip() {
    const face = make("span", "face");
    face.setAttribute("aria-hidden", "true");
    const link = makeLink("#", make("bdi"));
    return make("li", "chip", face,
        make("span", "words", make("span", "name", link), make("span", "detail"), make("span", "detail")));
}

function drawChip(chip, { user, name, workout }, site, now) {
    const [face, words] = chip.children;
    setFace(face, user, name);
    const [label, time, where] = words.children;
    const address = `/history/${workout.id}`;
    if (label.firstElementChild.getAttribute("href") !== address) label.firstElementChild.href = address;
    setText(label.firstElementChild.firstElementChild, name);
    setText(time, `${workoutWords(workout, now)} · ${sumWords(workout.sets ?? 0, workout.volume_kg ?? 0)}`);
    setName(where, workout.station === null ? "" : site.nameOf("stations", workout.station));
}
