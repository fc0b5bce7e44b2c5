import { openForm, makeSecret, showSecret } from "../kit/box.js";
import { make, makeSection, setText } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";

/** The PIN by which somebody checks in at a kiosk; `null` for whoever may not give one. */
export function makePin({ session, api, time, announce }, user) {
    const isOwn = session.user === user;
    if (!(session.may("pin") || (isOwn && session.may("pin", "own")))) return null;
    const path = `/api/v1/users/${encodeURIComponent(user)}/pin`;
    const said = make("p");
    const set = makeButton("", ask, "quiet");
    set.id = "make-pin";
    const remove = makeButton(t("pin.remove"), () => openForm(t("pin.remove"), t("pin.remove-lead"), {
        go: t("pin.remove"),
        send: async () => {
            await api.ask("DELETE", path);
            announce(t("pin.removed"));
            part.load();
        },
    }), "quiet");
    remove.hidden = true;
    const part = makePart(async () => {
        const { made_ms: made } = await api.get(path);
        setText(said, made === undefined ? t("pin.none") : t("pin.since", { date: time.date(made) }));
        setText(set, t(made === undefined ? "pin.make" : "pin.make-other"));
        remove.hidden = made === undefined;
    });

    function ask() {
        openForm(set.textContent, t("pin.make-lead"), {
            go: t("pin.make"),
            send: async (_, key, dialog) => {
                const { data: { pin } } = await api.ask("POST", path, { key });
                part.load();
                showSecret(dialog, [t("pin.title")], t("pin.once"), makeSecret(pin, t("pin.title")));
                return true;
            },
        });
    }

    part.load();
    const element = makeSection(t("pin.section"), make("div", "panel", part.element, said, make("div", "buttons", set, remove)));
    element.id = "pin";
    return element;
}
