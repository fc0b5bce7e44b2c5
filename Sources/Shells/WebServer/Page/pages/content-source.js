import { Refusal } from "../data/api.js";
import { make, makeLink, setText, showList } from "../kit/element.js";
import { makeButton, refusalWords } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { age, t } from "../words/words.js";

const ADDRESS = "/api/v1/content";
/** The largest file that is sent, in bytes. */
const MOST_BYTES = 4 << 20;
/** So long after it was asked for, what came of it is looked at again, in ms. */
const AGAIN_MS = 4000;

/** Lists of cards as files: what the source said, one of one's own, and the one to keep; `null` for who may not. */
export function makeContentSource({ api, clock, announce }, asked) {
    if (asked.get("content-import") === undefined) return null;
    const state = make("p");
    state.id = "content-state";
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const said = make("p", "said");
    said.id = "content-said";
    said.setAttribute("role", "status");
    const notes = make("ul", "plain");
    const again = makeButton(t("content.again"), () => attempt(async () => {
        await api.ask("POST", `${ADDRESS}/refresh`, { body: {} });
        setText(said, t("content.asking"));
        setTimeout(() => {
            setText(said, "");
            part.load();
        }, AGAIN_MS);
    }), "quiet");
    again.id = "content-again";
    const file = make("input");
    file.type = "file";
    file.accept = "application/json,.json";
    file.id = "content-file";
    const label = make("label", "", t("content.file"));
    label.htmlFor = file.id;
    file.addEventListener("change", () => attempt(async () => {
        const [chosen] = file.files;
        if (chosen === undefined) return;
        if (chosen.size > MOST_BYTES) throw new Refusal("too_large", "", 413);
        setText(said, t("form.loading"));
        const { data: done } = await api.ask("POST", ADDRESS, { body: { file: await chosen.text() } });
        file.value = "";
        setText(said, t("content.done", done));
        showList(notes, [...done.notes, ...(done.missing.length === 0 ? [] :
            [t("content.missing", { names: done.missing.slice(0, 8).join(", ") })])],
            (note) => note, () => make("li", "detail"), setText);
        announce(t("content.done", done));
        await part.load();
    }));
    const part = makePart(async () => {
        const source = await api.get(`${ADDRESS}/source`);
        again.hidden = source.url === undefined;
        const silence = Math.max(0, (clock.now() ?? source.asked_ms) - source.asked_ms);
        setText(state, source.url === undefined ? t("content.no-source") :
            source.fault !== undefined ? t("content.faulty", { url: source.url, why: source.fault }) :
                source.asked_ms === undefined ? t("content.waiting", { url: source.url }) :
                    t("content.asked", { url: source.url, age: age(silence) }));
    });
    part.load();

    async function attempt(act) {
        try {
            fault.hidden = true;
            notes.replaceChildren();
            await act();
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            file.value = "";
            setText(said, "");
            setText(fault, refusalWords(error).filter(Boolean).join(" "));
            fault.hidden = false;
        }
    }

    return {
        element: make("div", "stack", part.element, state, make("div", "buttons", again,
            makeLink("/setup/cards", t("setup.list.cards")), Object.assign(makeLink(ADDRESS, t("content.save")), { download: "beacons.json" })),
        make("div", "field", label, file), said, notes, fault),
    };
}
