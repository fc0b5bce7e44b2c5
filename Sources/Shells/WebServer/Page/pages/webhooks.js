import { Refusal } from "../data/api.js";
import { makeSecret, openForm, say, showSecret } from "../kit/box.js";
import { make, setData, setText, showList } from "../kit/element.js";
import { choiceWord, fieldOf, sentOf } from "../kit/fields.js";
import { makeButton, refusalWords } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { sentence, t } from "../words/words.js";

/** The addresses that are told what happens: add, try, take away, and how it goes; `null` for who may not. */
export function makeWebhooks({ api, announce, drawSoon }, asked) {
    const adding = asked.get("webhook-add");
    if (adding === undefined) return null;
    const list = make("ul", "entries");
    const empty = make("p", "empty-list", t("webhooks.none"));
    let hooks = null;
    /** What came of the last trial of each. */
    const trials = new Map();
    const part = makePart(async () => {
        ({ webhooks: hooks } = await api.get("/api/v1/webhooks"));
        drawSoon();
    });
    const add = makeButton(t("webhooks.add"), () => openForm(t("webhooks.add"), t("webhooks.lead"), {
        go: t("setup.add-go"),
        fields: adding.members.map((member) => fieldOf(member, new Map())).filter((field) => field !== null),
        send: async (values, key, dialog) => {
            const body = {};
            for (const member of adding.members) {
                const value = sentOf(member, values[member.name]);
                if (value !== null && value !== false) body[member.name] = value;
            }
            const { data } = await api.ask("POST", "/api/v1/webhooks", { body, key });
            part.load();
            showSecret(dialog, sentence("webhooks.made", { url: { name: body.url } }), t("webhooks.once"),
                makeSecret(data.secret, t("webhooks.secret")));
            return true;
        },
    }), "go");
    add.id = "add-webhook";
    part.load();

    async function test(id) {
        trials.set(id, { text: t("webhooks.trying"), state: "trying" });
        drawSoon();
        try {
            const { data } = await api.ask("POST", `/api/v1/webhooks/${id}/test`, { body: {} });
            const why = data.status ?? data.reason ?? "";
            trials.set(id, data.delivered ? { text: t("webhooks.taken", { why }), state: "taken" } :
                { text: t("webhooks.not-taken", { why }), state: "refused" });
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            trials.set(id, { text: refusalWords(error).filter(Boolean).join(" "), state: "refused" });
        }
        drawSoon();
    }

    function remove({ id, url }) {
        openForm(sentence("webhooks.remove-title", { url: { name: url } }), t("webhooks.remove-lead"), {
            go: t("webhooks.remove"),
            send: async () => {
                await api.ask("DELETE", `/api/v1/webhooks/${id}`);
                await part.load();
                announce(t("webhooks.removed"));
            },
        });
    }

    return {
        element: make("div", "", make("div", "buttons", add), part.element, list, empty),
        draw() {
            if (hooks === null) return;
            empty.hidden = hooks.length > 0;
            showList(list, hooks, ({ id }) => String(id), (hook) => {
                const said = make("p", "detail");
                said.setAttribute("role", "status");
                return make("li", "", say("b", [{ name: hook.url }]), make("p", "detail"), said,
                    make("div", "buttons", makeButton(t("webhooks.test"), () => test(hook.id), "quiet"),
                        makeButton(t("webhooks.remove"), () => remove(hook), "quiet danger")));
            }, (line, hook) => {
                const [, facts, said] = line.children;
                const trial = trials.get(hook.id);
                setData(line, { webhook: hook.id, trial: trial?.state ?? null });
                setText(facts, [
                    hook.kinds.map((kind) => choiceWord("kinds", kind)).join(", "),
                    t("webhooks.figures", { delivered: hook.delivered, failed: hook.failed, waiting: hook.waiting }),
                    hook.last_answer && t("webhooks.last", { answer: hook.last_answer }),
                ].filter(Boolean).join(" · "));
                setText(said, trial?.text ?? "");
            });
        },
    };
}
