import { keepPreference, preference } from "../data/session.js";
import { make, setText } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { makeTone } from "../kit/tone.js";
import { elapsed, t } from "../words/words.js";

/** So much longer or shorter a press makes a rest, in milliseconds. */
const STEP_MS = 15_000;
/** What is over for longer is not told any more, in milliseconds. */
const LATE_MS = 5_000;
/**
 * The rest after a set, counted down by the server's time, with a tone and a vibration at its end for who wants them.
 *
 * @param {(text: string) => void} announce
 */
export function makeRest(announce) {
    const left = make("strong", "clock");
    const bar = make("progress", "rest-bar");
    bar.setAttribute("aria-label", t("workout.rest"));
    const sound = make("input");
    sound.type = "checkbox";
    sound.id = "rest-sound";
    sound.checked = preference("rest") !== "quiet";
    sound.addEventListener("change", () => keepPreference("rest", sound.checked ? "" : "quiet"));
    const soundWords = make("label", "", t("workout.rest-sound"));
    soundWords.htmlFor = sound.id;
    const move = (step) => () => {
        moved += step;
        isTold = false;
    };
    const step = (sign, word, by) => {
        const button = makeButton(sign, move(by), "quiet");
        button.setAttribute("aria-label", t(word));
        return button;
    };
    const element = make("div", "panel rest", make("div", "rest-line", make("p", "", t("workout.rest"), " ", left),
        make("div", "buttons", step("−15", "workout.rest-less", -STEP_MS), step("+15", "workout.rest-more", STEP_MS),
            makeButton(t("workout.rest-skip"), () => { isSkipped = true; }, "quiet"))), bar);
    element.hidden = true;
    let until = null;
    let whole = 1;
    let moved = 0;
    let isSkipped = false;
    let isTold = true;
    const tone = makeTone();
    return {
        element,
        /** Whether the end is heard. */
        choice: make("div", "tick", sound, soundWords),
        /** A set was logged by a tap: from now on the page may make a sound. */
        unlock() {
            tone.unlock();
        },
        /**
         * @param {number | null} wanted Until when to rest; another moment begins another rest.
         * @param {number} now
         */
        draw(wanted, now) {
            if (wanted !== until) {
                until = wanted;
                moved = 0;
                isSkipped = false;
                isTold = wanted === null || now >= wanted;
                whole = Math.max(1, (wanted ?? now) - now);
            }
            const rest = until === null || isSkipped ? 0 : until + moved - now;
            element.hidden = rest <= 0;
            if (rest > 0) {
                whole = Math.max(whole, rest);
                bar.max = whole;
                bar.value = rest;
                // The last second is 0:01.
                setText(left, elapsed(rest + 999));
            } else if (!isTold) {
                isTold = true;
                if (isSkipped || rest < -LATE_MS) return;
                announce(t("workout.rest-over"));
                if (sound.checked) tone.ring();
            }
        },
    };
}
