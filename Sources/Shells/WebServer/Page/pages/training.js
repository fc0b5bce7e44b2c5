import { elapsed, has, kilograms, number, t } from "../words/words.js";

/** What pages say of exercises, sets and workouts. */

/** The member of a set that counts an exercise of a measure. */
export const MEASURES = { reps: "reps", time: "duration_s", distance: "distance_m" };

/** What an exercise is called in the language of the page. */
export function exerciseName(exercise) {
    return exercise.names?.[document.documentElement.lang] ?? exercise.name ?? exercise.id;
}

/** `80 kg × 10`, `12 reps`, `0:45`, `2,000 m`. */
export function setWords(set) {
    const amount = set.reps !== undefined ? set.reps :
        set.duration_s !== undefined ? elapsed(set.duration_s * 1000) :
        t("training.metres", { n: set.distance_m });
    if (set.weight_kg !== undefined) return `${kilograms(set.weight_kg)} × ${amount}`;
    return set.reps !== undefined ? t("training.reps", { n: set.reps }) : String(amount);
}

/** What else a set says of itself: its kind, how many repetitions were left, its note. */
export function setDetails(set) {
    return [set.kind === "working" ? "" : t(`training.kind.${set.kind}`),
        set.rir === undefined ? "" : t("training.rir-left", { n: set.rir }), set.note ?? ""].filter(Boolean);
}

/** An estimated maximum, with a mark if it is of low confidence: `~ 98.1 kg`. */
export function estimateWords(weight, isLow = false) {
    return `${isLow ? "~ " : ""}${kilograms(Math.round(weight * 10) / 10)}`;
}

/** The time of a workout without its pauses, in milliseconds; of an open one until now. */
export function netTime(line, now) {
    if (line.duration_ms !== null) return line.duration_ms;
    const end = line.pauses.find(({ to_ms: to }) => to === null)?.from_ms ?? now;
    const paused = line.pauses.reduce((sum, { from_ms: from, to_ms: to }) => sum + (to === null ? 0 : to - from), 0);
    return Math.max(0, end - line.started_ms - paused);
}

/** `18 sets · 4,320 kg moved`. */
export function sumWords(sets, volume) {
    return [t("training.sets", { n: sets }), volume > 0 ? t("training.volume", { volume: number(volume) }) : ""]
        .filter(Boolean).join(" · ");
}

/** `42:10 · 18 sets · 4,320 kg moved`. */
export function totalWords(milliseconds, sets, volume) {
    return `${elapsed(milliseconds)} · ${sumWords(sets, volume)}`;
}

/** The records that a set is, in words. */
export function recordWords(kinds) {
    return kinds.map((kind) => has(`training.record.${kind}`) ? t(`training.record.${kind}`) : kind).join(", ");
}
