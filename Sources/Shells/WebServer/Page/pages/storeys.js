import { make, setText, showList } from "../kit/element.js";
import { t } from "../words/words.js";

/** The storeys that rooms are on, lowest first; the entrance's is among them. */
export function storeysOf(rooms) {
    return [...new Set([0, ...rooms.map(({ storey }) => storey ?? 0)])].sort((a, b) => a - b);
}

export function storeyName(storey) {
    return storey === 0 ? t("storey.0") : t(storey > 0 ? "storey.up" : "storey.down", { n: Math.abs(storey) });
}

/** Which storey is shown: a choice, where there is one. */
export function makeStoreys(changed) {
    const select = make("select");
    select.id = "storey";
    const label = make("label", "", t("storey.label"));
    label.htmlFor = "storey";
    const element = make("div", "filter", label, select);
    element.hidden = true;
    const storeys = {
        element, value: 0,
        /** Offers storeys; `canGrow`: also the ones above and below them. */
        draw(all, canGrow = false) {
            const offered = canGrow ? [all[0] - 1, ...all, all.at(-1) + 1] : all;
            if (!offered.includes(storeys.value)) offered.push(storeys.value);
            element.hidden = offered.length < 2;
            showList(select, offered.sort((a, b) => b - a), String, (storey) => {
                const option = make("option");
                option.value = String(storey);
                return option;
            }, (option, storey) => setText(option, storeyName(storey)));
            if (select.value !== String(storeys.value)) select.value = String(storeys.value);
        },
    };
    select.addEventListener("change", () => {
        storeys.value = Number(select.value);
        changed();
    });
    return storeys;
}
