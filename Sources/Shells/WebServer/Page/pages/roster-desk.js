import { Refusal } from "../data/api.js";
import { group, openForm } from "../kit/box.js";
import { make } from "../kit/element.js";
import { makePart } from "../kit/part.js";
import { findPerson, offerPeople, peopleByLabel } from "../kit/choose-person.js";
import { freeSlug } from "../kit/slug.js";
import { addDays, compare, sentence, t } from "../words/words.js";

export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
/** Monday to Sunday of some week. */
const SOME_MONDAY = "2026-03-30";
/** Lengths of a shift that most leave as they are: minutes, with what they are at first and at most. */
export const LENGTHS = [
    ["break_min", 0, 720], ["late_grace_min", 0, 720], ["exit_grace_min", 0, 720], ["early_in_min", 60, 720],
    ["late_out_min", 60, 720], ["half_day_min", 0, 1440], ["absent_min", 0, 1440],
];
const KINDS = ["holiday", "sick", "training", "unpaid"];
/** The most days of leave that one form notes. */
const MOST_DAYS = 366;

/** `Mon`, as the language writes it: a short day is `Mon 30`, or with the number first. */
export function weekday(day, time) {
    return time.shortDay(addDays(SOME_MONDAY, day - 1)).replace(/[\d.,]+/g, "").trim();
}

/** Shifts and leave, and what a manager changes of them; each change asks first and says what follows. */
export class RosterDesk {
    /** `null` before they are known. */
    shifts = null;
    leave = null;
    today = "";
    /** What is said while they are on their way. */
    partShifts;
    partLeave;
    #api;
    #site;
    #time;
    #from = "";

    constructor(api, site, time, drawSoon) {
        this.#api = api;
        this.#site = site;
        this.#time = time;
        this.partShifts = makePart(async () => {
            ({ shifts: this.shifts } = await api.get("/api/v1/shifts"));
            drawSoon();
        });
        this.partLeave = makePart(async () => {
            const query = this.#from === "" ? "" : `?from=${this.#from}`;
            ({ leave: this.leave } = await api.get(`/api/v1/leave${query}`));
            drawSoon();
        });
    }

    loadShifts() {
        return this.partShifts.load();
    }

    /** Loads a year of leave from a day on, or from today. */
    loadLeave(from = this.#from) {
        this.#from = from;
        return this.partLeave.load();
    }

    addShift() {
        const form = openForm(t("roster.add-shift"), t("roster.add-shift-lead"), {
            go: t("roster.add-shift"),
            fields: [
                { name: "name", label: t("roster.shift-name"), isNeeded: true, most: 120 },
                { name: "start", label: t("roster.start"), kind: "time", isNeeded: true },
                { name: "end", label: t("roster.shift-end"), kind: "time", isNeeded: true, hint: t("roster.end-hint") },
                ...LENGTHS.map(([name, value, most]) => ({
                    name, kind: "number", value, least: 0, most, step: 1, label: t(`roster.length.${name}`),
                })),
            ],
            check: (values) => {
                if (this.shifts?.some(({ name }) => compare(name, values.name) === 0)) {
                    return ["name", t("roster.shift-exists")];
                }
                const broken = LENGTHS.find(([name]) => !/^\d*$/.test(values[name]));
                return broken === undefined ? null : [broken[0], t("roster.whole")];
            },
            send: async ({ name, start, end, ...lengths }, key) => {
                const minutes = Object.entries(lengths).filter(([, text]) => text !== "")
                    .map(([one, text]) => [one, Number(text)]);
                const taken = new Set(this.shifts?.map(({ id }) => id));
                const slug = freeSlug(name, `shift-${start}-${end}`.replaceAll(":", ""), (id) => taken.has(id));
                const body = { id: slug, name, start, end, ...Object.fromEntries(minutes) };
                await this.#api.ask("POST", "/api/v1/shifts", { body, key });
                this.loadShifts();
            },
        });
        const more = make("details", "", make("summary", "", t("roster.more")));
        form.field(LENGTHS[0][0]).closest(".field").before(more);
        more.append(...LENGTHS.map(([name]) => form.field(name).closest(".field")));
        // A field that is wrong is seen.
        form.addEventListener("submit", () => {
            const wrong = more.querySelector('[aria-invalid="true"]');
            if (wrong !== null) more.open = true;
            wrong?.focus();
        });
    }

    assign(id) {
        const people = peopleByLabel(this.#site);
        const users = people.map(([, user]) => user);
        const title = sentence("roster.assign-title", { name: { name: this.#shift(id).name } });
        const form = openForm(title, t("roster.assign-lead"), {
            go: t("roster.assign-go"),
            fields: [
                ...people.map(([label, user]) => ({ name: `user-${user}`, kind: "check", label })),
                ...WEEKDAYS.map((day) => ({
                    name: `day-${day}`, kind: "check", value: day <= 5, label: weekday(day, this.#time),
                })),
                { name: "from", label: t("roster.from"), kind: "date", isNeeded: true, value: this.today },
                { name: "to", label: t("roster.to"), kind: "date", hint: t("roster.to-hint") },
            ],
            check: (values) => {
                if (!users.some((user) => values[`user-${user}`])) {
                    return [users.length === 0 ? "from" : `user-${users[0]}`, t("roster.nobody-chosen")];
                }
                if (!WEEKDAYS.some((day) => values[`day-${day}`])) return ["day-1", t("roster.no-weekday")];
                return values.to !== "" && values.to < values.from ? ["to", t("roster.order")] : null;
            },
            send: async (values, key) => {
                const body = {
                    users: users.filter((user) => values[`user-${user}`]), from: values.from,
                    weekdays: WEEKDAYS.filter((day) => values[`day-${day}`]),
                };
                if (values.to !== "") body.to = values.to;
                try {
                    await this.#api.ask("POST", `/api/v1/shifts/${encodeURIComponent(id)}/assignments`, { body, key });
                } catch (error) {
                    throw this.#inNames(error);
                }
                this.loadShifts();
            },
        });
        group(form, t("roster.weekdays"), WEEKDAYS.map((day) => `day-${day}`)).classList.add("weekdays");
        if (users.length === 0) return;
        group(form, t("roster.people"), users.map((user) => `user-${user}`)).classList.add("choose");
    }

    /** Who works the shift already, by name instead of by id. */
    #inNames(error) {
        if (error.code !== "overlap") return error;
        const user = /“([a-z0-9-]+)”/.exec(error.detail)?.[1];
        return user === undefined ? error :
            new Refusal("twice", t("roster.overlap", { name: this.#site.nameOf("users", user) }), error.status);
    }

    endShift(id) {
        const { name } = this.#shift(id);
        openForm(sentence("roster.end-shift-title", { name: { name } }), t("roster.end-shift-lead"), {
            go: t("roster.end-shift"),
            fields: [{ name: "last", label: t("roster.last"), kind: "date", isNeeded: true, value: this.today }],
            send: async (body, key) => {
                await this.#api.ask("POST", `/api/v1/shifts/${encodeURIComponent(id)}/end`, { body, key });
                this.loadShifts();
            },
        });
    }

    endAssignment(shift, id) {
        const { name } = this.#shift(shift);
        const found = this.#shift(shift).assignments.find((one) => one.id === id);
        if (found === undefined) return;
        const names = { who: { name: found.name }, shift: { name } };
        openForm(sentence("roster.end-title", names), t("roster.end-lead"), {
            go: t("roster.end"),
            fields: [{ name: "last", label: t("roster.last"), kind: "date", isNeeded: true, value: this.today }],
            check: ({ last }) => found.to !== undefined && last >= found.to ?
                ["last", t("roster.ends-before", { date: this.#time.longDay(found.to) })] : null,
            send: async (body, key) => {
                await this.#api.ask("POST", `/api/v1/assignments/${id}/end`, { body, key });
                this.loadShifts();
            },
        });
    }

    addLeave() {
        const form = openForm(t("roster.add-leave"), t("roster.add-leave-lead"), {
            go: t("roster.add-leave"),
            fields: [
                { name: "user", label: t("roster.person"), options: [], isNeeded: true, most: 200 },
                { name: "from", label: t("roster.from"), kind: "date", isNeeded: true, value: this.today },
                { name: "to", label: t("roster.to"), kind: "date", hint: t("roster.leave-to-hint") },
                { name: "kind", label: t("roster.kind"), isNeeded: true, most: 64, value: t("roster.kind.holiday"),
                    options: KINDS.map((kind) => [t(`roster.kind.${kind}`), ""]) },
                { name: "half", label: t("roster.half"), kind: "check" },
            ],
            check: ({ user, from, to }) => {
                if (findPerson(this.#site, user) === null) return ["user", t("form.nobody", { name: user })];
                if (to !== "" && to < from) return ["to", t("roster.order")];
                return to > addDays(from, MOST_DAYS - 1) ? ["to", t("roster.too-many", { most: MOST_DAYS })] : null;
            },
            send: async ({ user, from, to, kind, half }, key) => {
                const known = KINDS.find((one) => compare(t(`roster.kind.${one}`), kind) === 0);
                const body = { user: findPerson(this.#site, user), from, kind: known ?? kind, half };
                if (to !== "") body.to = to;
                await this.#api.ask("POST", "/api/v1/leave", { body, key });
                this.loadLeave();
            },
        });
        offerPeople(form.field("user"), this.#site);
    }

    takeBack(user, name, date) {
        const values = { name: { name: name || user }, date: this.#time.longDay(date) };
        openForm(sentence("roster.take-back-title", values), t("roster.take-back-lead"), {
            go: t("roster.take-back"),
            send: async () => {
                await this.#api.ask("DELETE", `/api/v1/leave/${encodeURIComponent(user)}/${date}`);
                this.loadLeave();
            },
        });
    }

    #shift(id) {
        return this.shifts.find((shift) => shift.id === id);
    }
}
