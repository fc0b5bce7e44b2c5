import { make, setName, setText } from "./element.js";

/**
 * Cards: what is shown of a beacon or a station, each in one language or for all.
 */

/** The card for who reads in these languages, the first of them most of all; `null` if there is none. */
export function cardFor(cards, languages = navigator.languages ?? []) {
    if (!Array.isArray(cards) || cards.length === 0) return null;
    const wanted = [document.documentElement.lang, ...languages].map((one) => one.toLowerCase());
    for (const language of wanted) {
        const found = cards.find((card) => card.language === language) ??
            cards.find((card) => card.language === language.split("-")[0]);
        if (found) return found;
    }
    return cards.find((card) => card.language === undefined) ?? cards[0];
}

/** An element for a card, empty until one is shown. */
export function makeCard(className = "shown-card panel") {
    const picture = make("img");
    picture.alt = "";
    picture.loading = "lazy";
    picture.hidden = true;
    const link = make("a", "shown-link");
    link.rel = "noopener noreferrer external";
    link.target = "_blank";
    const card = make("div", className, picture,
        make("div", "shown-words", make("b"), make("p", "detail"), make("p", "shown-text"), link));
    card.hidden = true;
    return card;
}

/**
 * Shows a card; `null`: none.
 *
 * @param {Element} element Of `makeCard`.
 * @param {string} pictures The address below which its picture is.
 */
export function showCard(element, card, pictures = "/api/v1/pictures/") {
    element.hidden = card === null;
    if (card === null) return;
    const [picture, words] = element.children;
    const [title, subtitle, text, link] = words.children;
    const source = card.picture === undefined ? "" : pictures + card.picture;
    picture.hidden = source === "";
    if (source !== "" && picture.getAttribute("src") !== source) picture.src = source;
    setName(title, card.title);
    setText(subtitle, card.subtitle ?? "");
    subtitle.hidden = card.subtitle === undefined;
    setText(text, card.text ?? "");
    text.hidden = card.text === undefined;
    const address = webAddress(card.link);
    link.hidden = address === null;
    if (address !== null) {
        if (link.getAttribute("href") !== address) link.setAttribute("href", address);
        setText(link, new URL(address).host);
    }
}

/** An address that may be followed, whoever wrote it; else `null`. */
export function webAddress(text) {
    if (typeof text !== "string" || !URL.canParse(text)) return null;
    return ["https:", "http:"].includes(new URL(text).protocol) ? text : null;
}
