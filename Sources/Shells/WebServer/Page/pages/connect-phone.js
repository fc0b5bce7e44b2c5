import { makeSecret } from "../kit/box.js";
import { makeCode } from "../kit/code.js";
import { make, makeSection, setText } from "../kit/element.js";
import { makeButton, makeForm } from "../kit/form.js";
import { Refusal } from "../data/api.js";
import { hours, t } from "../words/words.js";
import { of } from "./whose.js";

/** What sends steps, each with the path that takes what its apps send. */
const APPS = [
    ["iphone", "/api/v1/activity/app?every=hour"], ["android", "/api/v1/activity/app"],
    ["other", "/api/v1/activity/samples"],
];

/**
 * How a phone is connected: which it is, then the address and the key that are entered in its app.
 *
 * @param {string} user Whose phone it is.
 * @param {() => void} made Called when there is a key: it is shown once.
 * @returns {{ which: Element, how: Element, hasKey: boolean }} `how` is hidden until one is chosen.
 */
export function makePhoneGuide({ api }, user, made) {
    const buttons = APPS.map(([name, path]) => {
        const button = makeButton(t(`activity.app.${name}`), () => choose(name, path));
        button.dataset.app = name;
        button.setAttribute("aria-pressed", "false");
        return button;
    });
    const which = make("div", "phone-apps", ...buttons);
    which.setAttribute("role", "group");
    which.setAttribute("aria-label", t("activity.connect-which"));
    const words = make("p");
    const note = make("p", "detail");
    const addressBox = make("div");
    const keyBox = make("div");
    const code = make("div");
    let address = "";
    let key = "";
    const form = makeForm({
        go: t("activity.connect-make"), fields: [],
        send: async (values, once) => {
            const { data } = await api.ask("POST", "/api/v1/activity/phones", { body: { user }, key: once });
            // As the apps want the header's value.
            key = `Bearer ${data.token}`;
            form.hidden = true;
            keyBox.append(labelled(t("activity.connect-key"), key), make("p", "detail", t("me.phone-once")));
            // The button that had the focus is gone.
            keyBox.querySelector("button").focus();
            guide.hasKey = true;
            drawCode();
            made();
        },
    });
    const how = make("div", "phone-how", words, note, addressBox, form, keyBox, code);
    how.hidden = true;

    function choose(name, path) {
        for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.app === name));
        setText(words, t(`activity.app-how.${name}`));
        setText(note, t(`activity.app-note.${name}`));
        address = location.origin + path;
        addressBox.replaceChildren(labelled(t("activity.connect-address"), address));
        how.hidden = false;
        if (guide.hasKey) drawCode();
    }

    async function drawCode() {
        const text = `${address}\n${key}`;
        let drawn;
        try {
            const figure = await makeCode(api, text, t("activity.connect-code"));
            drawn = [make("p", "detail", t("activity.connect-scan")), figure];
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            drawn = [make("p", "detail", t("activity.connect-no-code"))];
        }
        // Meanwhile another address may have been chosen, with a code of its own.
        if (text === `${address}\n${key}`) code.replaceChildren(...drawn);
    }

    const guide = { which, how, hasKey: false };
    return guide;
}

/** What is copied, under what it is. */
function labelled(label, text) {
    const box = make("div", "phone-copy", make("p", "detail", label), makeSecret(text, label));
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", label);
    return box;
}

/**
 * What stands in the place of somebody's steps until there are any: how to connect a phone, in three steps.
 *
 * @param {() => string} userOf Whose activity is looked at; others than oneself connect their phones themselves.
 * @returns {{ element: Element, isShown: boolean, look: () => Promise<void>, tell: (total: object | null) => void,
 *     clear: () => void }} `look` asks whether it is needed, `tell` what the mesh saw today.
 */
export function makeConnectPhone({ api, session, announce }, userOf) {
    const mayConnect = session.user !== "" && session.may("activity.write", "own");
    const guide = makePhoneGuide({ api }, session.user, () => draw(true));
    const before = make("p", "detail", t("activity.connect-made"));
    const waiting = make("p", "phone-waiting");
    waiting.setAttribute("role", "status");
    const moved = make("p", "detail");
    const steps = [
        ["activity.connect-which", guide.which], ["activity.connect-enter", before, guide.how],
        ["activity.connect-wait", waiting],
    ].map(([title, ...children]) => make("li", "", make("h3", "", t(title)), ...children));
    const element = makeSection(t("activity.connect"), make("div", "panel own phone-connect",
        make("p", "", t("activity.connect-lead")), make("ol", "", ...steps), moved));
    /** Whoever has sent steps once needs no more of it. */
    let isDone = false;
    const show = (isShown) => {
        connect.isShown = isShown;
        element.hidden = !isShown;
    };

    function draw(hasPhone) {
        before.hidden = guide.hasKey || !hasPhone;
        setText(waiting, hasPhone ? t("activity.connect-waiting") : "");
    }

    const connect = {
        element,
        isShown: false,
        async look() {
            const user = userOf();
            if (!mayConnect || user !== session.user || isDone) {
                show(false);
                return;
            }
            const [{ sources }, { phones }] = await Promise.all(
                ["settings", "phones"].map((one) => api.get(of(`/api/v1/activity/${one}`, user))));
            // Somebody else was chosen, for whom it is looked again.
            if (user !== userOf()) return;
            isDone = sources.length > 0;
            if (isDone && connect.isShown) announce(t("activity.connected"));
            draw(guide.hasKey || phones.length > 0);
            show(!isDone);
        },
        tell(total) {
            moved.hidden = (total?.moving_s ?? 0) === 0;
            setText(moved, moved.hidden ? "" : t("activity.moved-today", { time: hours(total.moving_s) }));
        },
        clear() {
            show(false);
        },
    };
    connect.tell(null);
    show(false);
    return connect;
}
