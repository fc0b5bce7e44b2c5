import { make, makeShape } from "./element.js";

/** Free modules around a code, as ISO/IEC 18004 asks. */
const QUIET = 4;

/**
 * A text as a QR code, for a phone's camera.
 *
 * @param {Api} api The server makes the code.
 * @param {string} text At most 213 bytes.
 * @param {string} label What it is, for who cannot see it.
 */
export async function makeCode(api, text, label) {
    const { data: { rows } } = await api.ask("POST", "/api/v1/qr-codes", { body: { text } });
    const size = rows.length + 2 * QUIET;
    const dark = rows.flatMap((row, y) => [...row].flatMap((module, x) =>
        module === "1" ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])).join("");
    return make("figure", "qr", makeShape("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label },
        makeShape("rect", { class: "light", width: size, height: size }),
        makeShape("path", { class: "dark", d: dark })));
}
