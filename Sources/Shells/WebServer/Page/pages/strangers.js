import { Refusal } from "../data/api.js";
import { make, setText } from "../kit/element.js";
import { makeButton, refusalWords } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { elapsed, known, t } from "../words/words.js";

/** So long the nodes tell of others, in milliseconds. */
const OPEN_MS = 5 * 60_000;
/** So often it is looked whether somebody else has changed that; at its end at once. */
const AGAIN_MS = [15_000, 3_000];

/**
 * Whether the nodes tell of devices that nobody registered: needed to add a tag by holding it to a node, and else left
 * off, for the telephones of passers-by are among them. The coordinator ends it after five minutes.
 */
export function makeStrangers({ api, clock }) {
    const said = make("p", "detail");
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const button = makeButton("", change, "quiet");
    button.id = "strangers";
    const box = make("div", "strangers", said, fault, make("div", "buttons", button));
    box.hidden = true;
    const part = makePart(async () => {
        take(await api.get("/api/v1/policy"));
        box.hidden = false;
        draw();
    });
    let isTold = null;
    let until = null;
    let askedAt = -Infinity;
    let isBusy = false;

    async function change() {
        const now = clock.now();
        // Without the coordinator's time nobody can say when it ends.
        if (isBusy || now === null) return;
        isBusy = true;
        fault.hidden = true;
        const wanted = !isTold;
        try {
            const { data, etag } = await api.ask("GET", "/api/v1/policy");
            const { publish_unregistered_until_ms: _, ...rest } = data;
            const body = { ...rest, publish_unregistered: wanted };
            if (wanted) body.publish_unregistered_until_ms = Math.round(now + OPEN_MS);
            take((await api.ask("PUT", "/api/v1/policy", { body, ifMatch: etag })).data);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(fault, refusalWords(error).filter(Boolean).join(" "));
            fault.hidden = false;
        } finally {
            isBusy = false;
        }
        draw();
    }

    function take(policy) {
        isTold = policy.publish_unregistered === true;
        until = isTold ? known(policy.publish_unregistered_until_ms) : null;
    }

    function draw(now = clock.now()) {
        if (isTold === null) return;
        const rest = until === null || now === null ? null : Math.max(0, until - now);
        setText(said, t(!isTold ? "strangers.not-told" : rest === null ? "strangers.told" : "strangers.told-for",
            { time: elapsed(rest ?? 0) }));
        setText(button, t(isTold ? "strangers.stop" : "strangers.start"));
        if (!isBusy && performance.now() - askedAt > AGAIN_MS[rest === 0 ? 1 : 0]) {
            askedAt = performance.now();
            part.load();
        }
    }

    part.load();
    return { element: make("div", "", part.element, box), draw };
}
