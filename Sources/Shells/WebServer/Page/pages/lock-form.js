import { Refusal } from "../data/api.js";
import { make, makeLink, setSentence } from "../kit/element.js";
import { makeForm, openDialog } from "../kit/form.js";
import { addDays, sentence, t } from "../words/words.js";
import { MOST_REASON, clockWords } from "./correction-form.js";

/**
 * Asks before a period is closed or opened, and says what stands in the way.
 *
 * @param {{ api, time }} tools
 * @param {string} through The last day that is locked then.
 * @param {{ title: string, isUnlock?: boolean, done: (words: string) => Promise<void> }} options `done` is told what
 *     was done, in words.
 */
export function openLock({ api, time }, through, { title, isUnlock = false, done }) {
    const end = time.startOf(addDays(through, 1));
    const waits = make("div", "waits");
    const words = { day: time.longDay(through), next: time.longDay(addDays(through, 1)) };
    const form = makeForm({
        go: t(isUnlock ? "attendance.unlock-go" : "attendance.lock-go"),
        cancel: () => form.closest("dialog").close(),
        fields: [
            { name: "reason", label: t("attendance.reason"), isNeeded: true, least: 1, most: MOST_REASON },
            ...(isUnlock ? [] : [{ name: "force", label: t("attendance.force"), kind: "check", value: false,
                hint: t("attendance.force-hint") }]),
        ],
        send: async ({ reason, force = false }, key) => {
            waits.replaceChildren();
            try {
                await api.ask("POST", "/api/v1/attendance/locks", {
                    body: { through, reason, force, unlock: isUnlock }, key,
                });
            } catch (error) {
                if (error instanceof Refusal && error.code === "bad_state") await showWaits();
                throw error;
            }
            form.closest("dialog").close();
            await done(t(isUnlock ? "attendance.unlocked" : "attendance.is-locked", words));
        },
    });
    if (!isUnlock) form.field("force").closest(".field").hidden = true;
    openDialog(title, make("p", "", t(isUnlock ? "attendance.unlock-lead" : "attendance.lock-lead", words)), waits, form);

    async function showWaits() {
        form.field("force")?.closest(".field").removeAttribute("hidden");
        const nodes = await api.get("/api/v1/attendance/waiting").catch(() => []);
        const late = nodes.filter((node) => node.awaited && (node.through_ms ?? 0) < end);
        waits.replaceChildren(make("p", "", t("attendance.waits")), make("ul", "", ...late.map((node) => {
            const line = make("li");
            setSentence(line, sentence(node.through_ms ? "attendance.waits-node" : "attendance.waits-ever", {
                name: { name: node.name },
                time: node.through_ms ? clockWords(time, through, node.through_ms) : "",
            }));
            return line;
        })), makeLink("/nodes", t("attendance.to-nodes")));
        waits.firstElementChild.hidden = late.length === 0;
        waits.lastElementChild.hidden = late.length === 0;
    }
}
