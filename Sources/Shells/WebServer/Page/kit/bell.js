import { Refusal } from "../data/api.js";
import { t } from "../words/words.js";
import { noticeWords } from "./notice-words.js";

/** Who sees what is about others is told of that by asking again after so long, in milliseconds. */
const AGAIN_MS = 60_000;

/**
 * How many notifications nobody has looked at yet, in the head and the title of every page, and a word of each as it
 * comes. `toast` shows a text for a while.
 *
 * @param {HTMLAnchorElement} link Where they are listed.
 */
export function makeBell(link, { api, session, site, toast }) {
    let unread = 0;
    /** Kinds of which whoever looks wants no word here. */
    let silent = new Set();
    /** Those that were told, by id: one may come twice. */
    const known = new Set();

    async function load() {
        try {
            const told = await api.get("/api/v1/notices?limit=1");
            ({ unread } = told);
            silent = new Set(told.silent);
            draw();
        } catch (error) {
            // A number less is no reason to say anything.
            if (!(error instanceof Refusal)) throw error;
        }
    }

    function draw() {
        const number = unread > 99 ? "99+" : String(unread);
        const badge = link.lastElementChild;
        badge.hidden = unread === 0;
        badge.textContent = unread > 0 ? number : "";
        link.setAttribute("aria-label", unread > 0 ? t("notice.unread", { n: unread }) : t("page.notices"));
    }

    draw();
    if (session.account !== "") {
        load();
        // What is about oneself comes by itself.
        if (session.may("attendance.read")) setInterval(load, AGAIN_MS);
    }
    return {
        load,
        get unread() {
            return unread;
        },
        /** Takes one as it comes: it may be told long after it was made, as quiet hours hold back. */
        take(payload) {
            if (payload === null || known.has(payload.id)) return;
            known.add(payload.id);
            if (!silent.has(payload.kind)) {
                toast(noticeWords(payload, site, session.user)
                    .map((part) => typeof part === "string" ? part : part.name).join(""));
            }
            unread += 1;
            draw();
        },
    };
}
