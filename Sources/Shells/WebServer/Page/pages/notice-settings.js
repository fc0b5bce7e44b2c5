import { Refusal } from "../data/api.js";
import { keyOf, messages, subscribe, subscription } from "../data/worker.js";
import { make, makeSection, setText, showList } from "../kit/element.js";
import { makeButton, makeForm, refusalWords } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";
import { makeMailSettings } from "./mail-settings.js";

/** What is about oneself, and what whoever runs the site should do something about. */
const OWN = ["queue-offer", "record", "step-goal", "move-reminder", "share-request", "device-beside", "arrival", "departure", "no-check-in",
    "forgotten-tag"];
const OFFICE = ["no-check-in", "forgotten-tag", "battery-low", "tag-seen", "tag-gone", "device-seen"];
const CHANNELS = ["page", "push", "mail"];

/** Which notifications come by which way, and whether this browser takes messages. */
export function makeNoticeSettings(tools) {
    const { api, session, time, announce } = tools;
    const kinds = [...new Set([...(session.user === "" ? [] : OWN), ...(session.may("attendance.read") ? OFFICE : [])])];
    const form = makeForm({
        go: t("account.keep"),
        fields: kinds.flatMap((kind) => CHANNELS.map((channel) => ({
            name: `${channel}-${kind}`, kind: "check", label: t(`channel.${channel}`),
        }))),
        send: async (values) => {
            const off = (channel) => kinds.filter((kind) => !values[`${channel}-${kind}`]);
            await api.ask("PUT", "/api/v1/notices/choice", {
                body: Object.fromEntries(CHANNELS.map((channel) => [channel, off(channel)])),
            });
            announce(t("channel.saved"));
        },
    });
    form.id = "notice-choice";
    // Of each kind its ways beside each other, under its name.
    for (const kind of kinds) {
        const ticks = CHANNELS.map((channel) => form.field(`${channel}-${kind}`));
        const name = t(`channel.kind.${kind}`);
        for (const [at, tick] of ticks.entries()) tick.setAttribute("aria-label", `${name}: ${t(`channel.${CHANNELS[at]}`)}`);
        const rows = ticks.map((tick) => tick.closest(".field"));
        const line = make("div", "notice-kind", make("b", "", name), make("div", "notice-ways", ...rows));
        form.insertBefore(line, form.querySelector(".fault"));
    }
    const part = makePart(async () => {
        const off = await api.get("/api/v1/notices/choice");
        form.fill(Object.fromEntries(kinds.flatMap((kind) => CHANNELS.map((channel) =>
            [`${channel}-${kind}`, !off[channel].includes(kind)]))));
        form.hidden = false;
    });
    form.hidden = true;
    const mail = makeMailSettings(tools, (isUsed) => {
        for (const kind of kinds) form.field(`mail-${kind}`).closest(".field").hidden = !isUsed;
    });

    const state = make("p");
    state.id = "push-state";
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const on = makeButton(t("push.on"), () => act(turnOn), "go");
    on.id = "push-on";
    const off = makeButton(t("push.off"), () => act(turnOff), "quiet");
    on.hidden = off.hidden = true;
    const browsers = make("ul", "entries");
    let known = [];

    async function act(work) {
        fault.hidden = true;
        on.disabled = off.disabled = true;
        try {
            await work();
        } catch (error) {
            const said = error instanceof Refusal ? refusalWords(error).filter(Boolean).join(" ") :
                t(error.name === "NotAllowedError" ? "push.refused" : "push.failed");
            setText(fault, said);
            fault.hidden = false;
        }
        on.disabled = off.disabled = false;
        await show();
    }

    async function turnOn() {
        const { data: { key } } = await api.ask("POST", "/api/v1/push/key", { body: {} });
        const told = await subscribe(key);
        await api.ask("POST", "/api/v1/push/subscriptions", {
            body: {
                endpoint: told.endpoint, p256dh: keyOf(told, "p256dh"), auth: keyOf(told, "auth"),
                language: document.documentElement.lang,
            },
        });
        announce(t("push.is-on"));
    }

    async function turnOff() {
        const told = await subscription();
        const own = known.find(({ endpoint }) => endpoint === told?.endpoint);
        await told?.unsubscribe();
        if (own !== undefined) await api.ask("DELETE", `/api/v1/push/subscriptions/${own.id}`);
        announce(t("push.is-off"));
    }

    async function show() {
        const is = messages();
        const told = is === "ready" ? await subscription().catch(() => null) : null;
        try {
            known = (await api.get("/api/v1/push/subscriptions")).subscriptions;
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
        }
        // A browser may have a subscription that is somebody else's here, or that was removed from another one.
        const isOn = told !== null && known.some(({ endpoint }) => endpoint === told.endpoint);
        setText(state, t(is === "ready" ? (isOn ? "push.state-on" : "push.state-off") : `push.${is}`));
        on.hidden = is !== "ready" || isOn;
        off.hidden = !isOn;
        showList(browsers, known, ({ id }) => String(id), ({ id }) => make("li", "entry", make("span"),
            makeButton(t("push.remove"), () => act(async () => {
                await api.ask("DELETE", `/api/v1/push/subscriptions/${id}`);
            }), "quiet")), (item, { endpoint, made_ms: made }) => {
            setText(item.firstElementChild, t("push.browser", { host: new URL(endpoint).host, date: time.date(made) }));
        });
    }

    part.load();
    show();
    const element = makeSection(t("channel.title"), make("div", "stack notice-parts", make("div", "panel stack", state, make("div", "buttons", on, off), fault, browsers), mail,
        make("div", "panel", part.element, form)));
    element.id = "notice-settings";
    return element;
}
