/** Numbers, ages and times in words. All moments are Unix milliseconds of the coordinator. */

export const NONE = "–";

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
    const two = (number) => String(number).padStart(2, "0");
    const hours = Math.floor(seconds / 3600);
    const minutes = Math.floor(seconds / 60) % 60;
    const rest = two(seconds % 60);
    return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A moment, or `null` if it is not known: a site that has not listened yet says 0. */
export function known(moment) {
    return Number.isFinite(moment) && moment > 0 ? moment : null;
}

/** `1 person`, `3 people`. */
export function count(number, one, many) {
    return `${number} ${number === 1 ? one : many}`;
}

/** Times of day at the gym. */
export class TimeOfDay {
    #zone = "UTC";
    #formats = TimeOfDay.#make("UTC");

    /** Sets the IANA time zone; one this browser does not know leaves the old one. */
    setZone(zone) {
        if (typeof zone !== "string" || zone === this.#zone) return;
        this.#zone = zone;
        try {
            this.#formats = TimeOfDay.#make(zone);
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

    static #make(timeZone) {
        const make = (options) => new Intl.DateTimeFormat("en-GB", { timeZone, ...options });
        const minutes = { hour: "2-digit", minute: "2-digit" };
        return {
            full: make({ ...minutes, second: "2-digit" }),
            short: make(minutes),
            day: make({ day: "numeric", month: "short" }),
        };
    }
}
