import { openForm } from "../kit/box.js";
import { make, makeLink, makeSection, setData, setSentence, setText, showList } from "../kit/element.js";
import { makeButton, makeDayField, refusalWords } from "../kit/form.js";
import { makeStrip } from "../kit/strip.js";
import { addDays, hours, isDay, known, sentence, t } from "../words/words.js";
import { makePersonData } from "./person-data.js";
import { makePin } from "./pin.js";
import { makePresence, personOf, reviewWords } from "./presence.js";
import { makeTags } from "./tags.js";
import { makeWhy } from "./why.js";

/** So often the day is asked for again while it goes on, in milliseconds. */
const AGAIN_MS = 60_000;

/** One person: where they are now and why, their day, their tags. The address carries the day: `?date=2026-03-29`. */
export default function person(main, tools) {
    const { site, session, time, params } = tools;
    const user = params.user;
    const why = makeWhy(tools);
    const day = makeDay(tools, user);
    const now = makeNow(tools, user, () => why.open(user), day.loadAgain);
    const tags = session.may("people.read", "own") ? makeTags(tools, user) : null;
    const links = make("p", "links");
    main.append(now.element, day.element,
        ...[tags?.element, makePin(tools, user), makePersonData(tools, user)].filter(Boolean), links);
    const title = make("bdi");
    main.querySelector("h1").replaceChildren(title);
    let month = "";
    return {
        draw(moment) {
            const person = personOf(site, user);
            setText(title, person.name);
            const words = `${person.name} · ${site.name || "Beaconmesh"}`;
            if (document.title !== words) document.title = words;
            now.draw(person, moment);
            day.draw(moment);
            tags?.draw(moment);
            why.draw(moment);
            const newest = time.date(moment).slice(0, 7);
            if ((session.may("reports")) && month !== newest) {
                month = newest;
                links.replaceChildren(
                    makeLink(`/attendance/reports?report=attendance-month&month=${month}&user=${user}`,
                        t("person.month")));
            }
        },
    };
}

/** Where somebody is now, in or out, and the buttons that change it. */
function makeNow({ site, session, time, api }, user, ask, onChange) {
    const button = makeButton(t("why.ask"), ask, "ask");
    const check = makeButton("", () => askToCheck(isIn), "check-button");
    check.id = "check";
    check.hidden = !(session.may("check") || (session.may("check", "own") && session.user === user));
    const said = make("p", "said");
    said.setAttribute("role", "status");
    const box = makePresence(
        [said], [button, check], session.may("attendance.read") || session.user === user);
    let isIn = false;

    /** Has somebody checked in or out, now, with a reason. */
    function askToCheck(isOut) {
        const path = isOut ? "check-out" : "check-in";
        openForm(t(`person.${path}`), sentence(`person.${path}-lead`, { name: { name: site.nameOf("users", user) } }), {
            go: t(`person.${path}`),
            fields: [{
                name: "reason", label: t("person.reason"), most: 256,
                options: ["forgot", "no-tag", "battery"].map((one) => [t(`person.reason-${one}`), ""]),
            }],
            send: async ({ reason }, key) => {
                await api.ask("POST", `/api/v1/attendance/${path}`, {
                    key, body: { user, ...(reason === "" ? {} : { reason }) },
                });
                setText(said, t(`person.${path}-done`));
                onChange();
            },
        });
    }

    return {
        element: box.element,
        draw(person, now) {
            const line = box.draw(person, site, time, now);
            isIn = person.attendance?.state === "in";
            setText(check, t(isIn ? "person.check-out" : "person.check-in"));
            button.hidden = !line.isKnown || !(session.may("people.read", "own") || session.account === "");
            const label = t("why.title", { who: person.name });
            if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
        },
    };
}

/** A day as a strip and in words: sessions, rooms and stations, workouts; what nobody knows is hatched. */
function makeDay({ site, session, time, api, drawSoon }, user) {
    const strip = makeStrip(t("person.strip"));
    const title = make("strong");
    const before = makeButton("◄", () => show(addDays(date, -1)));
    before.setAttribute("aria-label", t("person.day-before"));
    const after = makeButton("►", () => show(addDays(date, 1)));
    after.setAttribute("aria-label", t("person.day-after"));
    const pick = makeDayField("date", "", t("person.date"), (day) => show(day));
    pick.id = "date";
    const list = make("ul", "entries");
    const fault = make("p", "fault");
    fault.hidden = true;
    const empty = make("p", "detail");
    /** What of the day is not told to whoever looks. */
    const hidden = make("ul", "plain");
    hidden.id = "day-hidden";
    hidden.hidden = true;
    const element = makeSection(t("person.day"),
        make("div", "filter", before, pick, after, title), strip.element, fault, hidden, empty, list);
    element.id = "day";
    let date = new URLSearchParams(location.search).get("date");
    let rows = null;
    let askedAt = -Infinity;
    let askedTraining = false;
    let today = null;

    function show(wanted) {
        date = wanted;
        rows = null;
        askedAt = -Infinity;
        history.replaceState(null, "", date === today ? location.pathname : `?date=${date}`);
        drawSoon();
    }

    const may = (right) => session.may(right) || (session.user === user && session.may(right, "own"));
    const showsAttendance = may("attendance.read");
    // Trainers are told live of the training of those alone who share it.
    const showsTraining = () => may("workouts.read") && (session.role !== "trainer" || session.user === user ||
        site.payload("user", user, "workout") !== null);

    async function load() {
        askedAt = performance.now();
        const asked = date;
        askedTraining = showsTraining();
        const start = time.startOf(asked);
        const end = time.startOf(addDays(asked, 1));
        // What began the evening before belongs to the night, too.
        const query = `user=${user}&from=${addDays(asked, -1)}&to=${asked}`;
        const touches = (from, to) => from < end && (to ?? end) > start;
        try {
            const [sessions, stays, workouts] = await Promise.all([
                showsAttendance ? api.get(`/api/v1/attendance/sessions?${query}`) : { sessions: [] },
                may("reports") ? api.get(`/api/v1/reports/stays.json?${query}`) : { rows: null },
                askedTraining ? api.get(`/api/v1/workouts?user=${user}&from_ms=${start}&to_ms=${end}`) :
                    { workouts: [] },
            ]);
            if (asked !== date) return;
            rows = {
                start, end, workouts: workouts.workouts,
                sessions: sessions.sessions.filter(({ in_ms: from, out_ms: to }) => touches(from, to)),
                stays: stays.rows?.filter(({ from_ms: from, to_ms: to }) => touches(from, to)) ?? null,
            };
            fault.hidden = true;
        } catch (error) {
            if (asked !== date) return;
            setText(fault, refusalWords(error)[0]);
            fault.hidden = false;
        }
        drawSoon();
    }

    /** Says what of the day is not shown, and whose rule that is. */
    function drawHidden(isShared) {
        const name = { name: site.nameOf("users", user) };
        const isTrainer = session.role === "trainer";
        const lines = [
            ...(showsAttendance ? [] :
                [sentence(isTrainer ? "person.attendance-hidden" : "person.day-hidden")]),
            ...(isShared ? [] : [sentence(isTrainer ? "person.training-hidden" : "person.workouts-hidden", { name })]),
        ];
        hidden.hidden = lines.length === 0;
        showList(hidden, lines, (parts) => JSON.stringify(parts), () => make("li", "detail"), setSentence);
    }

    return {
        element,
        /** Asks for the day once more: something was changed. */
        loadAgain: load,
        draw(now) {
            const newest = time.date(now);
            // A page that stays open goes on to the next day.
            if (!isDay(date) || (date === today && today !== newest)) {
                date = newest;
                rows = null;
                askedAt = -Infinity;
            }
            today = newest;
            pick.show(date);
            setText(title, time.longDay(date));
            const isOld = date === today && performance.now() - askedAt > AGAIN_MS;
            const isShared = showsTraining();
            if ((rows === null && askedAt === -Infinity) || isOld || isShared !== askedTraining) load();
            drawHidden(isShared);
            strip.element.hidden = !showsAttendance && !isShared;
            if (rows === null) return;
            const parts = partsOf(rows, site, now);
            strip.draw({ from: rows.start, to: rows.end, now, parts,
                hours: [0, 1, 2, 3, 4].map((part) => time.clock(rows.start + (rows.end - rows.start) * part / 4)),
            });
            // Of what nobody may see it is not said that there is none.
            empty.hidden = parts.length > 0 || strip.element.hidden;
            setText(empty, t(showsAttendance ? "person.no-day" : "person.no-training"));
            showList(list, entriesOf(rows), ({ key }) => key, () => make("li"), (line, entry) => {
                setData(line, { kind: entry.kind });
                setSentence(line, entryWords(entry, site, time, now));
            });
        },
    };
}

/** What the strip shows. Where a session ran and no room is known, nobody heard them. */
function partsOf({ sessions, stays, workouts }, site, now) {
    const rooms = (stays ?? []).filter(({ level }) => level === "room");
    const order = site.listed("rooms");
    const unheard = stays === null ? [] : sessions.flatMap((one) => gaps(one, rooms, now)).map(([from, to]) => ({
        from, to, kind: "unknown", label: t("person.unheard"),
    }));
    return [
        ...sessions.map((one) => ({ from: one.in_ms, to: one.out_ms, kind: "shift", label: t("person.session") })),
        ...unheard,
        ...rooms.map((one) => ({
            from: one.from_ms, to: one.to_ms ?? null, kind: "room", label: site.nameOf("rooms", one.place),
            tone: Math.max(0, order.indexOf(one.place)) % 5,
        })),
        ...workouts.map((one) => ({
            from: one.started_ms, to: one.ended_ms ?? null, kind: "workout", label: t("person.workout"),
        })),
    ];
}

function gaps(one, rooms, now) {
    const found = [];
    let at = one.in_ms;
    const end = one.out_ms ?? now;
    for (const { from_ms: from, to_ms: to } of rooms) {
        if ((to ?? end) <= at || from >= end) continue;
        if (from - at > 1000) found.push([at, from]);
        at = Math.max(at, to ?? end);
    }
    if (end - at > 1000) found.push([at, end]);
    return found;
}

function entriesOf({ sessions, stays, workouts }) {
    return [
        ...sessions.map((one) => ({ kind: "session", key: `session ${one.id}`, from: one.in_ms, to: one.out_ms, one })),
        ...(stays ?? []).map((one) => ({
            kind: one.level, key: `${one.level} ${one.from_ms}`, from: one.from_ms, to: one.to_ms ?? null, one,
        })),
        ...workouts.map((one) => ({
            kind: "workout", key: `workout ${one.id}`, from: one.started_ms, to: one.ended_ms ?? null, one,
        })),
    ].sort((a, b) => a.from - b.from || (a.kind < b.kind ? -1 : 1));
}

function entryWords({ kind, from, to, one }, site, time, now) {
    const values = {
        from: time.clock(from), to: known(to) === null ? t("person.open") : time.clock(to),
        length: hours(((known(to) ?? now) - from) / 1000),
    };
    const place = kind === "room" ? "rooms" : "stations";
    if (kind === "room" || kind === "station") values.place = { name: site.nameOf(place, one.place) };
    const words = sentence(`person.entry-${kind}`, values);
    return one.review?.length > 0 ? [...words, ` (${reviewWords(one).join(", ")})`] : words;
}
