import { make, setSentence, setText, showList } from "../kit/element.js";
import { makePart } from "../kit/part.js";
import { makeStrip } from "../kit/strip.js";
import { t } from "../words/words.js";
import { exerciseName, setWords } from "./training.js";
import { of } from "./whose.js";

/** So many workouts back what was done here last is looked for: the one that is open may have no set yet. */
const REMEMBERED = 5;
/** The words below the strip, in hours. */
const HOURS = [0, 6, 12, 18, 24];

/** Today's use of a station as a strip and in words, and what whoever looks did here last. */
export function makeStationDay({ api, site, session, time }, station) {
    const strip = makeStrip(t("station.today"));
    const said = make("p", "detail");
    const outages = make("ul", "plain");
    const last = make("p", "");
    const path = `/api/v1/stations/${encodeURIComponent(station)}/day`;
    const isOwn = session.user !== "" && session.may("workouts.read", "own");
    let day = null;
    let heard = null;
    const part = makePart(async () => {
        const [answer, own, exercises] = await Promise.all([api.get(path), ...(isOwn ? [
            api.get(of(`/api/v1/workouts?limit=${REMEMBERED}&station=${encodeURIComponent(station)}`, session.user)),
            api.all("/api/v1/exercises", "exercises"),
        ] : [])]);
        day = answer;
        const sets = (own?.workouts ?? []).map((workout) => workout.sets.filter((set) => set.station === station))
            .find((mine) => mine.length > 0) ?? [];
        last.hidden = sets.length === 0;
        if (sets.length > 0) {
            const names = new Map(exercises.map((one) => [one.id, exerciseName(one)]));
            setSentence(last, [t("station.last-here", {
                date: time.longDay(time.date(sets[0].at_ms)),
                sets: sets.map((set) => `${names.get(set.exercise) ?? site.nameOf("exercises", set.exercise)} ${
                    setWords(set)}`).join(", "),
            })]);
        }
    });
    last.hidden = true;
    return {
        children: [part.element, strip.element, said, outages, last],
        draw(now) {
            const state = site.payload("station", station, "state");
            const news = JSON.stringify([state?.state, state?.by, state?.others, time.date(now)]);
            if (news !== heard) {
                heard = news;
                part.load();
            }
            if (day === null) return;
            const span = ({ from_ms: from, to_ms: to }) =>
                t("told.span", { from: time.short(from, now), to: to === null ? t("told.now") : time.short(to, now) });
            const uses = day.parts.filter(({ slot }) => slot !== null);
            strip.draw({
                from: day.from_ms, to: day.to_ms, now,
                hours: HOURS.map((hour) => `${String(hour).padStart(2, "0")}:00`),
                parts: day.parts.map((one) => ({
                    from: one.from_ms, to: one.to_ms, kind: one.slot === null ? "outage" : "use",
                    label: `${t(one.slot === null ? "station.out_of_order" : "station.used")} ${span(one)}`,
                })),
            });
            const minutes = uses.reduce((sum, { from_ms: from, to_ms: to }) =>
                sum + (Math.min(to ?? now, day.to_ms) - Math.max(from, day.from_ms)) / 60_000, 0);
            setText(said, t("station.used-today", { n: uses.length, minutes: Math.round(minutes) }));
            showList(outages, day.parts.filter(({ slot }) => slot === null), (one) => String(one.from_ms),
                () => make("li"), (item, one) => setSentence(item, [`${t("station.out_of_order")} ${span(one)}`,
                    ...(one.note === null ? [] : [": ", { name: one.note }])]));
        },
    };
}
