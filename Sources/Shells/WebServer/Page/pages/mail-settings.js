import { Refusal } from "../data/api.js";
import { make, setText } from "../kit/element.js";
import { makeButton, makeForm, refusalWords } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";

const ADDRESS = "/api/v1/notices/mail";
/** While a code is awaited, it is asked so often whether it could be sent, in ms. */
const LOOK = 3000;

/** Whether a text may be an address of mail; the server looks closer. */
export const isAddress = (text) => /^[!-?A-~]+@[!-?A-~]+$/.test(text);

/**
 * Where whoever is signed in wants mail: an address, which they prove by a code that is sent there. Hidden at a site that
 * sends none.
 *
 * @param {(isUsed: boolean) => void} tell Called with whether mail is sent there.
 */
export function makeMailSettings({ api, announce }, tell) {
    let timer;
    let isUsed = false;
    /** Another address is about to be typed; the code that was sent stays good until it is. */
    let isTyping = false;
    const state = make("p");
    state.id = "mail-state";
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    const entry = makeForm({
        go: t("mail.send-code"),
        fields: [{ name: "address", kind: "text", label: t("mail.address"), isNeeded: true, least: 3, most: 254, autocomplete: "email" }],
        check: ({ address }) => isAddress(address) ? null : ["address", t("mail.address-wrong")],
        send: async ({ address }, key) => {
            await api.ask("POST", ADDRESS, { body: { address, language: document.documentElement.lang }, key });
            isTyping = false;
            await part.load();
        },
    });
    entry.id = "mail-address";
    const code = makeForm({
        go: t("mail.confirm"),
        fields: [{ name: "code", kind: "text", label: t("mail.code"), isNeeded: true, least: 6, most: 6, autocomplete: "one-time-code" }],
        send: async (values, key) => {
            const { data } = await api.ask("POST", `${ADDRESS}/code`, { body: { code: values.code.trim() }, key });
            if (!data.confirmed) throw new Refusal("mail_code", t("mail.code-wrong"), 422);
            code.startOver({ code: "" });
            announce(t("mail.is-on"));
            await part.load();
        },
    });
    code.id = "mail-code";
    const off = makeButton(t("mail.off"), () => {
        if (isUsed) remove();
        else {
            isTyping = true;
            part.load();
        }
    }, "quiet");
    off.id = "mail-off";

    async function remove() {
        try {
            await api.ask("DELETE", ADDRESS);
            announce(t("mail.is-off"));
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            announce(refusalWords(error).filter(Boolean).join(" "));
        }
        entry.startOver({ address: "" });
        code.startOver({ code: "" });
        await part.load();
    }

    const part = makePart(async () => {
        clearTimeout(timer);
        const mail = await api.get(ADDRESS);
        element.hidden = !mail.offered && mail.address === undefined;
        const isKnown = mail.address !== undefined;
        isUsed = mail.confirmed === true;
        setText(state, t(!isKnown ? "mail.state-off" : isUsed ? "mail.state-on" : "mail.state-code", { address: mail.address ?? "" }));
        setText(fault, mail.fault === undefined ? "" : t(`mail.fault.${mail.fault}`));
        fault.hidden = mail.fault === undefined;
        entry.hidden = isKnown && !isTyping;
        code.hidden = !isKnown || isUsed || isTyping;
        off.hidden = !isKnown || isTyping;
        setText(off, t(isUsed ? "mail.off" : "mail.other"));
        tell(isUsed);
        if (isKnown && !isUsed && element.isConnected) timer = setTimeout(() => part.load(), LOOK);
    });
    const element = make("div", "panel stack", part.element, state, fault, entry, code, make("div", "buttons", off));
    element.hidden = true;
    part.load();
    return element;
}
