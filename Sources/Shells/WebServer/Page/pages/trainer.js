import { make, makeLink, makeSection, setName, setSentence, setText, showList } from "../kit/element.js";
import { compare, known, elapsed, t } from "../words/words.js";
import { setFace, workoutWords } from "./presence.js";
import { isTraining } from "./station-use.js";
import { sumWords } from "./training.js";

/** Who trains now and who waits, for trainers: the server tells only of those who let them see it. */
export default function trainer(main, { site, session }) {
    const training = make("ul", "chips");
    training.id = "training-now";
    const nobody = make("p", "empty-list", t("trainer.nobody"));
    const waiting = make("ul", "plain");
    waiting.id = "waiting-now";
    const none = make("p", "empty-list", t("trainer.nobody-waits"));
    const activity = make("p", "links", makeLink("/activity/shared", t("page.activity-shared")));
    activity.hidden = !session.may("activity.shared");
    main.append(makeSection(t("trainer.training"), training, nobody),
        makeSection(t("trainer.waiting"), waiting, none), activity);
    return {
        draw(now) {
            const people = site.listed("users").map((user) => ({
                user, name: site.nameOf("users", user),
                workout: site.payload("user", user, "workout"), wait: site.payload("user", user, "wait"),
            })).sort((a, b) => compare(a.name, b.name));
            const shown = people.filter(({ workout }) => isTraining(workout));
            showList(training, shown, ({ user }) => user, makeChip,
                (chip, person) => drawChip(chip, person, site, now));
            nobody.hidden = shown.length > 0;
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
