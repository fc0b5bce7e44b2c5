import { doorFromHere } from "../data/door.js";
import { forgetAll } from "../data/worker.js";

/**
 * What a page on a wall does for itself, as nobody is there to: it keeps the screen awake, and loads itself anew when the
 * server has another release.
 */
export function tendBoard(api) {
    const root = document.documentElement;
    let wasLinked = true;
    // The address of another token, opened where the page is open to whoever looks: the door takes it.
    if (location.hash.startsWith("#bm_")) location.replace(doorFromHere());
    keepAwake();
    document.addEventListener("visibilitychange", keepAwake);
    return {
        /** Called with each drawing. */
        draw() {
            const isLinked = root.dataset.connected === "true";
            if (isLinked && !wasLinked) renew(api);
            wasLinked = isLinked;
        },
    };
}

/** Only where the page came by TLS; else the device's own settings do it. */
function keepAwake() {
    if (document.visibilityState !== "visible") return;
    navigator.wakeLock?.request("screen").catch(() => {});
}

async function renew(api) {
    const renewal = await api.renewal();
    if (renewal === "over") {
        await forgetAll();
        location.replace(doorFromHere());
    }
    if (renewal === "release") location.reload();
}
