import { sentence } from "../words/words.js";

/** What a notification says, in the reader's language and by the names that they may see, as the parts of a sentence. */

/** What the subject of a kind names; of the others it is a row or a day. */
const NAMED = {
    "battery-low": "beacons", "tag-seen": "beacons", "tag-gone": "beacons", record: "exercises", "queue-offer": "stations",
};

export function noticeWords({ kind, user, subject }, site, own) {
    const isOwn = user !== undefined && user !== null && user === own;
    const what = { name: NAMED[kind] === undefined ? subject : site.nameOf(NAMED[kind], subject) };
    return sentence(isOwn && OWN.has(kind) ? `notice.own.${kind}` : `notice.${kind}`, {
        who: { name: user === undefined || user === null ? "" : site.nameOf("users", user) }, what,
    });
}

/** Kinds that say something else to whom they are about. */
const OWN = new Set(["arrival", "departure", "no-check-in", "forgotten-tag", "record", "queue-offer", "step-goal",
    "move-reminder", "share-request", "device-beside"]);

/** Where to look at what a notification is about; `null`: nowhere. */
export function noticeLink({ kind, user, subject }, own) {
    if (kind === "queue-offer") return `/stations/${encodeURIComponent(subject)}`;
    if (kind === "record" && user === own) return "/records";
    if ((kind === "step-goal" || kind === "move-reminder") && user === own) return "/activity";
    if (kind === "share-request" && user === own) return "/me";
    if (kind === "tag-seen" || kind === "tag-gone") return `/devices/${encodeURIComponent(subject)}`;
    if (kind === "device-seen") return "/discover";
    if (kind === "battery-low" && user !== own) return "/devices";
    return user === undefined || user === null ? null : `/people/${encodeURIComponent(user)}`;
}
