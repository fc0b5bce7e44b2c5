import { openForm } from "../kit/box.js";
import { make, makeSection, setSentence, showList } from "../kit/element.js";
import { makeButton, makeForm } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";
import { whoWords } from "./correction-form.js";

/** While a workout is open, notes of others are looked for so often, in milliseconds. */
const NEWS_MS = 10_000;
/** The longest note, in characters. */
const LONGEST = 500;

/** What people wrote to a workout, with a form for another note. */
export function makeWorkoutNotes({ api, site, session, time, announce }) {
    const list = make("ul", "visits");
    list.id = "notes";
    const form = makeForm({
        go: t("notes.write"),
        fields: [{ name: "text", label: t("notes.new"), kind: "lines", isNeeded: true, most: LONGEST }],
        send: async ({ text }, key) => {
            await api.ask("POST", path(target ?? workout), { body: { text }, key });
            // What was typed meanwhile is another note.
            if (form.field("text").value.trim() === text) {
                form.fill({ text: "" });
                target = null;
            }
            announce(t("notes.written"));
            await part.load();
        },
    });
    form.dataset.act = "note";
    const more = make("details", "", make("summary", "", t("notes.new")), form);
    const part = makePart(async () => {
        const asked = workout;
        if (asked === null) return;
        const answer = await api.get(path(asked));
        if (asked === workout) notes = answer.notes;
    });
    const element = makeSection(t("notes.title"), make("div", "panel own", part.element, list, more));
    element.hidden = true;
    let workout = null;
    /** To which workout a note is that somebody types; another one may begin meanwhile. */
    let target = null;
    form.addEventListener("input", () => {
        target = form.field("text").value === "" ? null : target ?? workout;
    });
    let notes = [];
    let askedAt = -Infinity;
    const path = (id) => `/api/v1/workouts/${id}/notes`;

    return {
        element,
        /**
         * @param {{ id: number, user: string, isOpen: boolean } | null} told Whose workout it is, and whether it lasts.
         * @param {number} now
         */
        draw(told, now) {
            element.hidden = told === null;
            if ((told?.id ?? null) !== workout) {
                workout = told?.id ?? null;
                notes = [];
                askedAt = -Infinity;
            }
            if (told === null) return;
            const isDue = askedAt === -Infinity || told.isOpen && performance.now() - askedAt >= NEWS_MS;
            if (isDue && !document.hidden) {
                askedAt = performance.now();
                part.load();
            }
            const isOwn = told.user === session.user;
            more.hidden = !session.may("workouts.write", isOwn ? "own" : "site");
            const mayDelete = ({ by }) => !more.hidden &&
                (isOwn || session.role !== "trainer" || whoWords(by) === session.account);
            showList(list, notes, ({ id }) => String(id), () => makeNote(ask), (item, note) => {
                item.note = note;
                const [words, remove] = item.children;
                setSentence(words.firstElementChild, [{ name: note.text }]);
                // Whose name may not be seen is known by their login.
                const isNamed = note.author !== undefined && site.isNamed("users", note.author);
                setSentence(words.lastElementChild, [
                    { name: isNamed ? site.nameOf("users", note.author) : whoWords(note.by) },
                    ` · ${time.short(note.at_ms, now)}`]);
                remove.hidden = !mayDelete(note);
            });
        },
    };

    function ask({ id, text }) {
        const address = `${path(workout)}/${id}`;
        openForm(t("notes.delete-title"), [{ name: text }], {
            go: t("notes.delete"),
            send: async () => {
                await api.ask("DELETE", address);
                await part.load();
            },
        });
    }
}

function makeNote(ask) {
    const item = make("li", "", make("div", "words", make("p", "note-text"), make("p", "detail")),
        makeButton(t("notes.delete"), () => ask(item.note), "quiet"));
    return item;
}
