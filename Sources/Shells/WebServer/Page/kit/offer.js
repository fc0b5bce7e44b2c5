import { Refusal } from "../data/api.js";
import { preference } from "../data/session.js";
import { elapsed, known, sentence, t } from "../words/words.js";
import { make, setSentence, setText } from "./element.js";
import { makeButton, refusalWords } from "./form.js";
import { makeTone } from "./tone.js";

/** A bar on every page while a station is kept for whoever looks: how long still, and buttons to take it or to pass. */
export function makeOffer({ api, session, site, say }) {
    const words = make("p", "offer-words");
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const take = makeButton(t("offer.accept"), () => act("POST", "/accept"), "go");
    const pass = makeButton(t("offer.pass"), () => act("DELETE", ""), "quiet");
    const element = make("div", "offer", words, make("div", "buttons", take, pass), fault);
    element.id = "offer";
    element.setAttribute("role", "region");
    element.setAttribute("aria-label", t("offer.title"));
    element.hidden = true;
    let offered = null;
    const tone = makeTone();
    document.addEventListener("pointerdown", () => tone.unlock(), { once: true });

    async function act(method, path) {
        fault.hidden = true;
        take.disabled = pass.disabled = true;
        try {
            await api.ask(method, `/api/v1/stations/${encodeURIComponent(offered)}/queue${path}`, { body: { user: session.user } });
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(fault, refusalWords(error).filter(Boolean).join(" "));
            fault.hidden = false;
        }
        take.disabled = pass.disabled = false;
    }

    return {
        element,
        get isOpen() {
            return offered !== null;
        },
        draw(now) {
            const wait = session.user === "" ? null : site.payload("user", session.user, "wait");
            const until = wait === null ? null : known(wait.offered_until_ms);
            const isOpen = until !== null && now !== null && until > now && !site.isKept;
            if (isOpen && offered !== wait.station) {
                fault.hidden = true;
                // How long it is kept changes each second: it is said once.
                say(`${t("offer.title")}: ${site.nameOf("stations", wait.station)}`);
                // Whoever wants no sound at the end of a rest wants none here.
                if (preference("rest") !== "quiet") tone.ring();
            }
            offered = isOpen ? wait.station : null;
            element.hidden = !isOpen;
            if (!isOpen) return;
            setSentence(words, sentence("offer.words", {
                place: { name: site.nameOf("stations", offered) }, time: elapsed(Math.max(0, until - now)),
            }));
        },
    };
}
