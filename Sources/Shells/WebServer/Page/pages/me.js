import { openForm } from "../kit/box.js";
import { make, makeLink, makeSection, setSentence, setText, showList } from "../kit/element.js";
import { makeButton, makeForm } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { addMonths, t } from "../words/words.js";
import { makePersonForm } from "./person-form.js";
import { makeCalendar } from "./calendar.js";
import { makeCorrections } from "./my-corrections.js";
import { makeHours } from "./my-hours.js";
import { makeMyTraining } from "./my-training.js";
import { makeDay } from "./my-visits.js";
import { makePhones } from "./my-phones.js";
import { makePresence, personOf } from "./presence.js";

/** Whoever looks: in or out, their day, their hours, what they asked to have corrected, and what is theirs to set. */
export default function me(main, tools) {
    const { site, session, time } = tools;
    if (session.user === "") {
        main.append(make("p", "panel", t("me.nobody")));
        return { draw() {} };
    }
    const user = session.user;
    const now = makeNow(tools, () => loadAll());
    const training = makeMyTraining(tools);
    const corrections = makeCorrections(tools);
    const asking = session.may("correct", "own") ? corrections : null;
    const gone = make("p", "fault", t("live.not-registered"));
    gone.hidden = true;
    const left = make("div", "own-part");
    const right = make("div", "own-part");
    const parts = [];
    const add = (place, title, part) => {
        place.append(makeSection(title, make("div", "panel own", ...part.children)));
        parts.push(part);
    };
    if (session.may("attendance.read", "own")) {
        add(left, t("me.today"), makeDay(tools, asking));
        add(left, t("me.corrections"), corrections);
        const hours = makeHours(tools, asking);
        left.append(makeSection(t("me.hours"), ...hours.children));
        parts.push(hours);
    }
    if (session.may("people.read", "own")) add(right, t("me.tags"), makeTags(tools, user));
    if (session.may("sharing", "own")) add(right, t("me.sharing"), makeWishes(tools, user));
    const data = makeData(tools, user);
    if (data.children.length > 0) add(right, t("me.data"), data);
    if (session.may("activity.write", "own")) add(right, t("me.phones"), makePhones(tools, user));
    if (session.may("roster.read", "own")) add(right, t("me.calendar"), makeCalendar(tools, user));
    main.append(gone, now.element, training.element, make("div", "columns", left, right));

    let isLoaded = false;
    let heard = "";
    function loadAll() {
        for (const part of parts) part.load?.();
    }
    return {
        draw(moment) {
            gone.hidden = site.isNamed("users", user);
            const person = personOf(site, user);
            now.draw(person, moment);
            training.draw(moment);
            for (const part of parts) part.draw?.(moment);
            const { state, check_in_ms: from, check_out_ms: to } = person.attendance ?? {};
            const told = JSON.stringify([state, from, to, time.date(moment)]);
            if (isLoaded && told === heard) return;
            heard = told;
            isLoaded = true;
            loadAll();
        },
    };
}

/** In or out, since when and where; and the way to say so oneself. */
function makeNow({ api, session, site, time, announce }, changed) {
    const say = (path, said) => async (values, key) => {
        await api.ask("POST", path, { body: {}, key });
        announce(said);
        changed();
    };
    const mayCheck = session.may("check", "own");
    const checkIn = makeForm({
        go: t("me.check-in"), fields: [], send: say("/api/v1/attendance/check-in", t("me.checked-in")),
    });
    const checkOut = makeButton(t("me.check-out"), () => {
        openForm(t("me.check-out-title"), t("me.check-out-lead"), {
            go: t("me.check-out"), send: say("/api/v1/attendance/check-out", t("me.checked-out")),
        });
    });
    const box = makePresence([], mayCheck ? [checkIn, checkOut] : []);
    box.element.classList.add("own-now");
    return {
        element: box.element,
        draw(person, now) {
            box.draw(person, site, time, now);
            const isIn = person.attendance?.state === "in";
            checkIn.show(!isIn);
            checkOut.hidden = !isIn;
        },
    };
}

/** The tags that somebody is recognised by. */
function makeTags({ api, time, clock, drawSoon }, user) {
    const list = make("ul", "visits");
    list.setAttribute("aria-label", t("me.tags"));
    const none = make("p", "detail", t("me.no-tags"));
    none.hidden = true;
    let tags = null;
    const part = makePart(async () => {
        tags = await api.all(`/api/v1/beacons?user=${encodeURIComponent(user)}`, "beacons");
        drawSoon();
    });
    return {
        children: [part.element, list, none],
        load: part.load,
        draw() {
            if (tags === null) return;
            none.hidden = tags.length > 0;
            showList(list, tags, ({ id }) => id, () =>
                make("li", "", make("div", "words", make("span", "times"), make("span", "check"))), (item, tag) => {
                const [name, until] = item.firstElementChild.children;
                setSentence(name, [{ name: tag.title ?? tag.id }]);
                const end = Date.parse(tag.until ?? "");
                until.hidden = !Number.isFinite(end);
                setText(until, until.hidden ? "" : t("me.tag-until", { time: time.short(end, clock.now() ?? end) }));
            });
        },
    };
}

/** What others see of somebody, and of what they are told. */
function makeWishes({ api }, user) {
    const path = `/api/v1/users/${encodeURIComponent(user)}`;
    const places = { shares: "sharing", training: "sharing", records: "notices" };
    const said = make("p", "said detail");
    said.setAttribute("role", "status");
    const form = makeForm({
        go: t("me.keep"),
        fields: [
            { name: "shares", label: t("me.shares"), kind: "check", hint: t("me.shares-hint") },
            { name: "training", label: t("me.training-shared"), kind: "check", hint: t("me.training-shared-hint") },
            { name: "records", label: t("me.records"), kind: "check", hint: t("me.records-hint") },
        ],
        send: async (values) => {
            const typed = Object.keys(places).filter(form.isTyped);
            await filled.save(values, async () => {
                for (const name of typed) {
                    await api.ask("PUT", `${path}/${places[name]}`, { body: { [name]: values[name] } });
                }
            });
            setText(said, t("me.kept"));
        },
    });
    form.addEventListener("input", () => setText(said, ""));
    const filled = makePersonForm(form, [], () => user, async () => {
        const [{ shares, training }, { records }] = await Promise.all([api.get(`${path}/sharing`), api.get(`${path}/notices`)]);
        return { shares, training, records };
    });
    return { children: [filled.element, form, said], load: filled.load };
}

/** What is stored about somebody, as files to take along. */
function makeData({ session, time }, user) {
    const own = `user=${encodeURIComponent(user)}`;
    // Spreadsheets read commas or semicolons, as the language of the machine has it.
    const sheet = document.documentElement.lang === "de" ? "bom=1&separator=semicolon" : "bom=1";
    const links = [0, -1].map((offset) => {
        const link = makeLink("#");
        link.className = "button";
        link.download = "";
        return { offset, link };
    });
    const children = [];
    const mayRead = session.may("reports", "own");
    if (mayRead) {
        children.push(make("p", "", t("me.data-attendance")),
            make("div", "buttons", ...links.map(({ link }) => link)));
    }
    if (session.may("workouts.read", "own")) {
        const link = makeLink(`/api/v1/workouts/export?${own}`, t("me.data-workouts-go"));
        link.className = "button";
        link.download = "";
        children.push(make("p", "", t("me.data-workouts")), make("div", "buttons", link));
    }
    return {
        children,
        draw(now) {
            if (!mayRead) return;
            for (const { offset, link } of links) {
                const month = addMonths(time.date(now).slice(0, 7), offset);
                const address = `/api/v1/reports/attendance-month.csv?month=${month}&${own}&${sheet}`;
                if (link.getAttribute("href") === address) continue;
                link.href = address;
                setText(link, t("me.data-month", { month: time.longMonth(month) }));
            }
        },
    };
}
