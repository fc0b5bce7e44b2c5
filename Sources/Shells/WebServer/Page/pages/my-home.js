import { make, makeLink, makeSection, setData, setName, setText, showList } from "../kit/element.js";
import { makePart } from "../kit/part.js";
import { addDays, compare, hours, known, mondayOf, t } from "../words/words.js";
import { attendanceWords } from "./presence.js";
import { freeSlots, isTraining } from "./station-use.js";
import { waitWords } from "./stations.js";
import { netTime } from "./training.js";

/** So many stations that are free are named, and so many that will soon be. */
const FREE = 8;
const SOON = 3;
/** So many workouts a week has at most, as a page of them goes. */
const MOST = 50;

/**
 * What a member comes for: whether they are in, a workout to begin, which stations are free, and their week.
 *
 * @param {Element} training What goes on with their workout.
 */
export function makeMyHome({ api, site, session, time, drawSoon }, training) {
    const { user } = session;
    const state = make("p", "own-state");
    const start = makeLink("/workout", t("workout.begin"));
    start.className = "button go";
    const card = make("div", "panel my-home", state, start);
    const free = make("ul", "free-chips");
    const freeSection = makeSection("", free);
    const week = make("ol", "week");
    week.setAttribute("aria-label", t("home.week"));
    const sums = make("p", "detail");
    const part = makePart(async () => {
        ({ workouts: past } = await api.get(`/api/v1/workouts?user=${encodeURIComponent(user)}&limit=${MOST}`));
        drawSoon();
    });
    const weekSection = makeSection(t("home.week"), part.element, week, sums);
    weekSection.id = "my-week";
    const element = make("div", "my-home-parts", card, training, freeSection, weekSection);
    element.id = "my-home";
    let past = null;
    /** The workout that was told last: when another one ends, the week is asked for again. */
    let told;

    function drawFree(now) {
        const all = site.listed("stations").map((id) => ({
            id, name: site.nameOf("stations", id), state: site.payload("station", id, "state"),
            info: site.payload("station", id, "info"),
        }));
        const isFree = ({ state, info }) => state !== null && !["out_of_order", "unknown"].includes(state.state) &&
            freeSlots(state, info) > 0;
        const open = all.filter(isFree).sort((a, b) => compare(a.name, b.name));
        const soon = all.filter((one) => !isFree(one) && known(one.state?.free_est_ms) !== null)
            .sort((a, b) => a.state.free_est_ms - b.state.free_est_ms).slice(0, SOON);
        setText(freeSection.firstElementChild, t("home.free", { free: open.length, n: all.length }));
        freeSection.hidden = all.length === 0;
        showList(free, [...open.slice(0, FREE), ...soon], ({ id }) => id, ({ id }) => {
            const link = makeLink(`/stations/${encodeURIComponent(id)}`, make("span"), make("bdi"), make("span", "detail"));
            link.className = "chip-link";
            link.firstElementChild.setAttribute("aria-hidden", "true");
            return make("li", "", link);
        }, (item, one) => {
            const [shape, name, wait] = item.firstElementChild.children;
            setData(item, { station: one.id, state: isFree(one) ? "free" : "soon" });
            setText(shape, isFree(one) ? "○" : "◐");
            setName(name, one.name);
            setText(wait, isFree(one) ? "" : waitWords(one.state, now));
        });
    }

    function drawWeek(now) {
        if (past === null) return;
        const today = time.date(now);
        const monday = mondayOf(today);
        const days = Array.from({ length: 7 }, (_, index) => addDays(monday, index));
        const done = past.filter((one) => known(one.started_ms) !== null && time.date(one.started_ms) >= monday);
        const seconds = done.reduce((sum, one) => sum + netTime(one, now) / 1000, 0);
        setText(sums, done.length === 0 ? t("home.none-yet") : t("home.sums", { n: done.length, time: hours(seconds) }));
        showList(week, days, (day) => day, () => make("li", "", make("span"), make("span", "dot")), (item, day) => {
            const count = done.filter((one) => time.date(one.started_ms) === day).length;
            setData(item, { done: count > 0 ? "true" : null, today: day === today ? "true" : null });
            setText(item.firstElementChild, time.shortDay(day).slice(0, 2));
            setText(item.lastElementChild, count > 0 ? "●" : "○");
            item.setAttribute("aria-label", `${time.longDay(day)}: ${t("home.workouts", { n: count })}`);
        });
    }

    return {
        element,
        draw(now) {
            const workout = site.payload("user", user, "workout");
            const key = `${workout?.id ?? ""} ${known(workout?.ended_ms) ?? ""}`;
            if (key !== told) {
                told = key;
                part.load();
            }
            const words = attendanceWords(site.payload("user", user, "attendance"), now, time);
            setText(state, words ?? t("home.hello", { name: site.nameOf("users", user) }));
            start.hidden = isTraining(workout);
            drawFree(now);
            drawWeek(now);
        },
    };
}
