import { length, t } from "../words/words.js";

/** An international mile in metres, exactly (1959). */
const MILE_M = 1609.344;

/** `3.42 km` or `2.13 mi`. */
export function distanceWords(metres, units) {
    return units === "mi" ? t("activity.miles", { distance: length(metres / MILE_M) }) :
        t("activity.kilometres", { distance: length(metres / 1000) });
}

/** `212 kcal`; without a weight nobody can say. */
export function energyWords(kilocalories) {
    return kilocalories === null ? t("activity.energy-unknown") : t("activity.kcal", { n: Math.round(kilocalories) });
}
