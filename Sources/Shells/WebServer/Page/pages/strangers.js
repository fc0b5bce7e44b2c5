import { Refusal } from "../data/api.js";
import { make, setText } from "../kit/element.js";
import { makeButton, refusalWords } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";

/**
 * Whether the nodes tell of devices that nobody registered: needed to add a tag by holding it to a node, and else left
 * off, for the telephones of passers-by are among them.
 */
export function makeStrangers({ api }) {
    const said = make("p", "detail");
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const button = makeButton("", change, "quiet");
    button.id = "strangers";
    const box = make("div", "strangers", said, fault, make("div", "buttons", button));
    box.hidden = true;
    const part = makePart(async () => {
        isTold = (await api.get("/api/v1/policy")).publish_unregistered === true;
        box.hidden = false;
        show();
    });
    let isTold = null;
    let isBusy = false;

    async function change() {
        if (isBusy) return;
        isBusy = true;
        fault.hidden = true;
        const wanted = !isTold;
        try {
            const { data, etag } = await api.ask("GET", "/api/v1/policy");
            await api.ask("PUT", "/api/v1/policy", {
                body: { ...data, publish_unregistered: wanted }, ifMatch: etag,
            });
            isTold = wanted;
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(fault, refusalWords(error).filter(Boolean).join(" "));
            fault.hidden = false;
        } finally {
            isBusy = false;
        }
        show();
    }

    function show() {
        setText(said, t(isTold ? "strangers.told" : "strangers.not-told"));
        setText(button, t(isTold ? "strangers.stop" : "strangers.start"));
    }

    part.load();
    return make("div", "", part.element, box);
}
