import { Refusal } from "../data/api.js";
import { findPerson, offerPeople } from "../kit/choose-person.js";
import { make, makeLink, makeSection, setSentence, setText } from "../kit/element.js";
import { makeButton, makeDayField, makeForm, refusalWords } from "../kit/form.js";
import { addDays, isDay, sentence, t } from "../words/words.js";
import { makeDay } from "./attendance-day.js";
import { makeMonth } from "./attendance-month.js";
import { clockWords, loadLock, readClock, whoWords } from "./correction-form.js";
import { openLock } from "./lock-form.js";

/** The longest reason of a check-in by hand, in characters. */
const MOST_CHECK_REASON = 256;
/** News of the day are loaded no more often, and after so long without any. */
const RELOAD_MS = [3000, 60000];
/** Where a form of one line fits, it is open at once; on phones it would push the list away. */
const WIDE = "(min-width: 60rem)";

/** Attendance of today, of a day or of a month, as the address says. */
export default function attendance(main, tools) {
    const asked = tools.params.date ?? "";
    if (/^\d{4}-(0[1-9]|1[0-2])$/.test(asked)) return makeMonth(main, tools, asked);
    if (asked === "" || isDay(asked)) return makeDayPage(main, tools, asked);
    main.append(make("p", "fault", t("attendance.no-such-day")), makeLink("/attendance", t("attendance.today")));
    return { draw() {} };
}

function makeDayPage(main, tools, asked) {
    const { api, session, site, time, clock, drawSoon } = tools;
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    const said = make("p", "said");
    said.setAttribute("role", "status");
    setText(said, t("attendance.loading"));
    const links = make("div", "attendance-links");
    const hand = make("div");
    hand.hidden = true;
    const rest = make("div", "attendance-rest");
    const lockBox = make("div", "panel lock");
    const day = makeDay(tools, () => reload());
    fault.hidden = true;
    main.append(links, fault, said, hand, day.element, rest);

    let date = asked;
    let data = null;
    let isLoading = false;
    let askedAgain = false;
    let loadedAt = -Infinity;
    let signature = "";

    async function load() {
        const query = asked === "" ? "" : `?date=${asked}`;
        const report = await api.get(`/api/v1/reports/attendance-day.json${query}`);
        date = time.date(report.from_ms);
        const [sessions, pending, approved, shifts, lock] = await Promise.all([
            api.all(`/api/v1/attendance/sessions?from=${addDays(date, -1)}&to=${date}&limit=500`, "sessions"),
            api.get("/api/v1/attendance/corrections?state=pending"),
            api.get("/api/v1/attendance/corrections?state=approved"),
            session.may("roster.read") ? api.get("/api/v1/shifts") : { shifts: [] },
            loadLock(api, session),
        ]);
        const now = clock.now() ?? report.from_ms;
        data = {
            date, from: report.from_ms, to: report.to_ms, rows: report.rows, sessions, pending, lock,
            seen: approved.filter((one) => one.change === "reviewed"),
            shifts: new Map(shifts.shifts.map((shift) => [shift.id, shift])), loadedAt: now,
            isToday: now >= report.from_ms && now < report.to_ms,
        };
    }

    /** Loads the day again; news that come meanwhile are loaded after it. */
    async function reload() {
        if (isLoading) {
            askedAgain = true;
            return;
        }
        isLoading = true;
        try {
            await load();
            fault.hidden = true;
            if (said.textContent === t("attendance.loading")) setText(said, "");
            drawLinks();
            drawLock();
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            const [text, detail] = refusalWords(error);
            fault.replaceChildren(t("attendance.not-loaded", { why: text }),
                ...(detail ? [make("small", "", detail)] : []), makeButton(t("attendance.again"), reload, "ask"));
            fault.hidden = false;
            setText(said, "");
        } finally {
            isLoading = false;
            drawSoon();
        }
        if (askedAgain) {
            askedAgain = false;
            await reload();
        }
    }

    let linked = "";
    const corrections = makeLink("/attendance/corrections");
    corrections.className = "button";
    function drawLinks() {
        setText(corrections, data.pending.length === 0 ? t("attendance.corrections") :
            t("attendance.corrections-waiting", { count: data.pending.length }));
        const key = `${date} ${data.isToday}`;
        if (key === linked) return;
        linked = key;
        const words = time.longDay(date);
        setText(main.querySelector("h1"), words);
        document.title = `${words} · ${site.name || "Beaconmesh"}`;
        const field = makeDayField("date", date, t("attendance.day"), (day) => {
            location.assign(`/attendance/${day}`);
        });
        const link = (address, text, label = null) => {
            const made = makeLink(address, text);
            made.className = "button";
            if (label !== null) made.setAttribute("aria-label", label);
            return made;
        };
        links.replaceChildren(
            link(`/attendance/${addDays(date, -1)}`, "←", t("attendance.day-before")),
            field,
            link(`/attendance/${addDays(date, 1)}`, "→", t("attendance.day-after")),
            ...(data.isToday ? [] : [link("/attendance", t("attendance.today"))]),
            link(`/attendance/${date.slice(0, 7)}`, t("attendance.month")),
            corrections,
            ...(session.may("roster.read") ? [link("/attendance/roster", t("attendance.roster"))] : []),
            ...(session.may("reports") ? [link("/attendance/reports", t("attendance.reports"))] : []));
    }

    let lockShown = "";
    function drawLock() {
        const { lock, to, isToday } = data;
        const isLocked = lock !== null && date <= lock.through_date;
        const isOver = !isToday && to <= (clock.now() ?? 0);
        // Else each load would take the button from under a finger, and the focus.
        const key = JSON.stringify([lock, isOver]);
        if (key === lockShown) return;
        lockShown = key;
        const words = make("p");
        if (lock === null) {
            setText(words, t("attendance.never-locked"));
        } else {
            setSentence(words, sentence(isLocked ? "attendance.locked" : "attendance.locked-before", {
                day: time.longDay(lock.through_date), who: { name: whoWords(lock.locked_by) },
                why: { name: lock.reason },
            }));
        }
        const buttons = make("div", "buttons");
        if (session.may("lock") && isLocked) {
            buttons.append(makeButton(t("attendance.unlock"), () => ask(addDays(date, -1), true)));
        } else if (session.may("lock") && isOver) {
            buttons.append(makeButton(t("attendance.lock"), () => ask(date, false)));
        }
        lockBox.replaceChildren(words, buttons);
        lockBox.dataset.state = isLocked ? "locked" : "open";
    }

    /** Asks before the days up to one are locked, or those after it unlocked. */
    function ask(through, isUnlock) {
        openLock(tools, through, {
            title: t(isUnlock ? "attendance.unlock" : "attendance.lock"), isUnlock,
            done: (words) => {
                setText(said, words);
                return reload();
            },
        });
    }

    /** Checking in by hand, over the list, and locks at the foot of the page. Made once the names are known. */
    function makeRest() {
        const isNear = data.isToday || addDays(date, 1) === time.date(clock.now() ?? data.from);
        if (session.may("check") && isNear && site.listed("users").length > 0) {
            const fold = make("details", "fold by-hand", make("summary", "", t("attendance.by-hand")),
                make("div", "fold-content", make("p", "detail", t("attendance.by-hand-lead")), makeByHand()));
            fold.open = matchMedia(WIDE).matches;
            hand.append(fold);
            hand.hidden = false;
        }
        rest.append(makeSection(t("attendance.lock-title"), lockBox));
    }

    function makeByHand() {
        const moment = ({ at }) => readClock(time, at, date, data.from);
        const typed = ["who", "at", "reason"];
        const form = makeForm({
            go: t("attendance.check-go"), className: "inline",
            fields: [
                { name: "who", label: t("attendance.person"), isNeeded: true, most: 256, options: [] },
                { name: "what", label: t("attendance.what"), kind: "choice", value: "check-in",
                    options: [["check-in", t("attendance.check-in")], ["check-out", t("attendance.check-out")]] },
                { name: "at", label: t(data.isToday ? "attendance.at-if" : "attendance.at"), kind: "time",
                    isNeeded: !data.isToday },
                { name: "reason", label: t("attendance.reason-free"), most: MOST_CHECK_REASON },
            ],
            check: (values) => {
                if (findPerson(site, values.who) === null) {
                    return ["who", t("form.nobody", { name: values.who })];
                }
                if (values.at === "") return null;
                const { moment: at } = moment(values);
                if (at === null) return ["at", t("attendance.skipped", { time: values.at })];
                return at > clock.now() ? ["at", t("attendance.future-yesterday")] : null;
            },
            send: async (values, key) => {
                const body = { user: findPerson(site, values.who) };
                if (values.at !== "") body.at_ms = moment(values).moment;
                if (values.reason !== "") body.reason = values.reason;
                // Nobody types the next one among what is still of this one.
                typed.forEach((name) => { form.field(name).readOnly = true; });
                const { data: done } = await api.ask("POST", `/api/v1/attendance/${values.what}`, { body, key })
                    .finally(() => typed.forEach((name) => { form.field(name).readOnly = false; }));
                const at = values.what === "check-in" ? done.check_in_ms : done.check_out_ms;
                setSentence(told, sentence(
                    values.what === "check-in" ? "attendance.checked-in" : "attendance.checked-out",
                    { name: { name: values.who }, time: clockWords(time, date, at ?? clock.now()) }));
                form.fill({ who: "", at: "", reason: "" });
                await reload();
            },
        });
        const told = make("p", "said");
        told.setAttribute("role", "status");
        form.id = "by-hand";
        offerPeople(form.field("who"), site);
        return make("div", "", form, told);
    }

    return {
        draw(now) {
            const live = data === null || data.isToday ? liveSignature(site) : "";
            const age = now - loadedAt;
            const isOld = data === null ? age > RELOAD_MS[1] :
                data.isToday && (live !== signature && age > RELOAD_MS[0] || age > RELOAD_MS[1]);
            if (isOld && !isLoading) {
                loadedAt = now;
                signature = live;
                reload();
            }
            if (data === null) return;
            if (rest.childElementCount === 0) makeRest();
            day.draw(data, now);
        },
    };
}

/** Changes whenever somebody comes, goes, or is to be looked at. */
function liveSignature(site) {
    return JSON.stringify(site.slugs("user").sort().map((user) => [user, site.payload("user", user, "attendance")]));
}
