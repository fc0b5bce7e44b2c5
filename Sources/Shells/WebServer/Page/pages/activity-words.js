import { length, t } from "../words/words.js";

/** An international mile in metres, exactly (1959). */
const MILE_M = 1609.344;

/** `3.42 km` or `2.13 mi`. */
export function distanceWords(metres, units) {
    return units === "mi" ? t("activity.miles", { distance: length(metres / MILE_M) }) :
        t("activity.kilometres", { distance: length(metres / 1000) });
}

/** `212 kcal`; `null` if it is not known, as without a weight, and if it is none: nobody is told 0. */
export function energyWords(kilocalories) {
    const n = Math.round(kilocalories ?? 0);
    return n === 0 ? null : t("activity.kcal", { n });
}
