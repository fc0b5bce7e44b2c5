/** The words of the page in the language of its document, with numbers, ages and times. */

export const NONE = "–";

let words = {};
let plurals = new Intl.PluralRules("en");
let collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
let numbers = new Intl.NumberFormat("en");
let grams = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
/** Two digits after the point, also if they are zeros. */
const LENGTHS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
let lengths = new Intl.NumberFormat("en", LENGTHS);

/** Takes the words of a language; everything else here goes by it. */
export function speak(language, texts) {
    words = texts;
    plurals = new Intl.PluralRules(language);
    collator = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
    numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
    grams = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });
    lengths = new Intl.NumberFormat(language, LENGTHS);
}

/** The order of names. */
export function compare(a, b) {
    return collator.compare(a, b);
}

/**
 * The text of a key, with `{name}` replaced by the value of that name. If there is a value `n`, the text may have a
 * form for one and one for others: `people.one`, `people.other`.
 */
export function t(key, values = {}) {
    return sentence(key, values).map((part) => typeof part === "string" ? part : part.name).join("");
}

/**
 * The same as parts, where a value `{ name }` stays apart: a name keeps its direction of writing to itself. A value may
 * be a list of parts.
 */
export function sentence(key, values = {}) {
    const form = values.n === undefined ? null : words[`${key}.${plurals.select(values.n)}`];
    const text = form ?? words[key];
    if (text === undefined) {
        console.error(`no word for ${key}`);
        return [key];
    }
    return text.split(/(\{\w+\})/).filter((part) => part !== "").flatMap((part) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        const value = name === undefined ? part : values[name] ?? part;
        return typeof value === "number" ? numbers.format(value) : value;
    });
}

/** Whether there is a text for a key. */
export function has(key) {
    return Object.hasOwn(words, key);
}

/** A number as it is written in the language, with one digit after the point at most; `null` if it is none. */
export function number(value) {
    return Number.isFinite(value) ? numbers.format(value) : null;
}

/** A length in a unit, with two digits after the point: `3.40`. */
export function length(value) {
    return lengths.format(value);
}

/** A weight to the gram: `82.5 kg`. */
export function kilograms(weight) {
    return `${grams.format(weight)} kg`;
}

/** `94 %`. */
export function percent(share) {
    return `${Math.round((share ?? 0) * 100)} %`;
}

/** An age or a span in its largest unit: `7 s`, `4 min`, `3 h`, `2 d`. */
export function age(milliseconds) {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    if (seconds < 100) return `${seconds} s`;
    if (seconds < 100 * 60) return `${Math.floor(seconds / 60)} min`;
    if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
    return `${Math.floor(seconds / 86400)} d`;
}

/** A running time: `0:07`, `12:30`, `1:04:09`. */
export function elapsed(milliseconds) {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    const rest = two(seconds % 60);
    return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Hours that were worked: `7:45`. */
export function hours(seconds) {
    const minutes = Math.round(seconds / 60);
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
}

function two(number) {
    return String(number).padStart(2, "0");
}

/** A moment, or `null` if it is not known: a site that has not listened yet says 0. */
export function known(moment) {
    return Number.isFinite(moment) && moment > 0 ? moment : null;
}

/** Times of day at the gym. All moments are Unix milliseconds of the coordinator. */
export class TimeOfDay {
    #zone = "UTC";
    #language;
    #formats;

    constructor(language) {
        this.#language = language === "en" ? "en-GB" : language;
        this.#formats = this.#make("UTC");
    }

    get zone() {
        return this.#zone;
    }

    /** Sets the IANA time zone; one this browser does not know leaves the old one. */
    setZone(zone) {
        if (typeof zone !== "string" || zone === this.#zone) return;
        try {
            this.#formats = this.#make(zone);
            this.#zone = zone;
        } catch (error) {
            if (!(error instanceof RangeError)) throw error;
        }
    }

    /** `14:03:22`. */
    full(moment) {
        return this.#formats.full.format(moment);
    }

    /** `14:03`, with the day before it when that is not today. */
    short(moment, now) {
        const { day, short } = this.#formats;
        const date = day.format(moment);
        return date === day.format(now) ? short.format(moment) : `${date}, ${short.format(moment)}`;
    }

    /** When a day begins: at midnight, or where the clocks skip that, an hour later. */
    startOf(date) {
        return this.moment(date, "00:00") ?? this.moment(date, "01:00");
    }

    /** `14:03`, whatever the day. */
    clock(moment) {
        return this.#formats.short.format(moment);
    }

    /** The day of a moment as `2026-03-29`. */
    date(moment) {
        return this.#formats.date.format(moment);
    }

    /** A day `2026-03-29` as `Sun, 29 March 2026`. */
    longDay(date) {
        return this.#formats.longDay.format(noon(date));
    }

    /** A day `2026-03-29` as `Sun 29`. */
    shortDay(date) {
        return this.#formats.shortDay.format(noon(date));
    }

    /** A month `2026-03` as `March 2026`. */
    longMonth(month) {
        return this.#formats.longMonth.format(noon(`${month}-15`));
    }

    /**
     * The moment of `14:03` on a day `2026-03-29`, or `null` if that is no time. Of the two that a clock set back
     * shows, the first.
     */
    moment(date, clock) {
        if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d$/.test(clock)) return null;
        const wanted = Date.parse(`${date}T${clock}:00Z`);
        if (!Number.isFinite(wanted)) return null;
        // Where the clock is set, the offset before it and the one after it may both make a moment of that time.
        const found = [-12, 12].map((hours) => wanted - this.#offset(wanted + hours * 3_600_000))
            .filter((moment) => this.date(moment) === date && this.clock(moment) === clock);
        return found.length === 0 ? null : Math.min(...found);
    }

    /** How far the zone is ahead of UTC at a moment. */
    #offset(moment) {
        const parts = Object.fromEntries(
            this.#formats.parts.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
        const { year, month, day, hour, minute, second } = parts;
        return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000;
    }

    #make(timeZone) {
        const make = (options, language = this.#language, zone = timeZone) =>
            new Intl.DateTimeFormat(language, { timeZone: zone, ...options });
        const minutes = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
        const date = { year: "numeric", month: "2-digit", day: "2-digit" };
        return {
            full: make({ ...minutes, second: "2-digit" }),
            short: make(minutes),
            day: make({ day: "numeric", month: "short" }),
            // Sweden writes dates as ISO 8601 does.
            date: make(date, "sv-SE"),
            parts: make({ ...date, ...minutes, second: "2-digit" }, "en-GB"),
            longDay: make({ weekday: "short", day: "numeric", month: "long", year: "numeric" }, undefined, "UTC"),
            shortDay: make({ weekday: "short", day: "numeric" }, undefined, "UTC"),
            longMonth: make({ month: "long", year: "numeric" }, undefined, "UTC"),
        };
    }
}

/** Noon of a day in UTC, where the name of a day is the same in every language's format. */
function noon(date) {
    return Date.parse(`${date}T12:00:00Z`);
}

/** The day so many days later: `2026-03-29`, 1 → `2026-03-30`. */
export function addDays(date, days) {
    return isoDay(noon(date) + days * 86_400_000);
}

/** Which day of its week a day `2026-03-29` is: from 0 for Monday to 6 for Sunday. */
export function weekdayOf(date) {
    // The first day of 1970 was a Thursday.
    return (Math.floor(noon(date) / 86_400_000) + 3) % 7;
}

/** The Monday of the week that a day `2026-03-29` is in. */
export function mondayOf(date) {
    return addDays(date, -weekdayOf(date));
}

/** The month so many months later: `2026-12`, 1 → `2027-01`. */
export function addMonths(month, months) {
    const [year, one] = month.split("-").map(Number);
    const count = year * 12 + one - 1 + months;
    return `${Math.floor(count / 12)}-${two(count % 12 + 1)}`;
}

/** Whether there is such a day: `2026-02-29` is none. */
export function isDay(text) {
    if (!/^(19|2\d)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text)) return false;
    return text <= addDays(`${addMonths(text.slice(0, 7), 1)}-01`, -1);
}

const iso = new Intl.DateTimeFormat("sv-SE", { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" });

function isoDay(moment) {
    return iso.format(moment);
}
