import { Refusal } from "../data/api.js";
import { t } from "../words/words.js";
import { make } from "./element.js";

/** Files of pictures, which are made small PNGs before they are sent: no server has to read what strangers wrote. */

/** The largest file that is read, in bytes, and the most pixels that it may come to. */
const [MOST_BYTES, MOST_PIXELS] = [40e6, 60e6];
/** How long the longer side of what is sent is at first, in pixels; and how large it may be, in bytes. */
const [SIDE, SENT] = [1600, 2.5e6];

/** A file as a PNG in base64. Throws a `Refusal` whose detail says why it is none. */
export async function pngOf(file) {
    if (file.size > MOST_BYTES) throw refused("picture.too-large");
    const size = sizeOf(new Uint8Array(await file.slice(0, 1 << 18).arrayBuffer()));
    if (size === null) throw refused("picture.no-picture");
    if (size[0] * size[1] > MOST_PIXELS) throw refused("picture.too-many-pixels");
    let bitmap;
    try {
        bitmap = await createImageBitmap(file);
    } catch {
        throw refused("picture.damaged");
    }
    try {
        for (let side = SIDE; side >= 200; side *= 0.7) {
            const blob = await drawn(bitmap, side);
            if (blob !== null && blob.size <= SENT) return await base64Of(blob);
        }
        throw refused("picture.too-large");
    } finally {
        bitmap.close();
    }
}

function refused(word) {
    return new Refusal("picture", t(word), 400);
}

function drawn(bitmap, side) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
    const canvas = make("canvas");
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function base64Of(blob) {
    return new Promise((done, failed) => {
        const reader = new FileReader();
        reader.addEventListener("load", () => done(reader.result.slice(reader.result.indexOf(",") + 1)));
        reader.addEventListener("error", () => failed(refused("picture.damaged")));
        reader.readAsDataURL(blob);
    });
}

/** Width and height of a PNG, JPEG or WebP by its first bytes, before anything is unpacked; `null` of anything else. */
export function sizeOf(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isText = (at, text) => [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));
    if (bytes.length < 30) return null;
    if (bytes[0] === 0x89 && isText(1, "PNG") && isText(12, "IHDR")) return [view.getUint32(16), view.getUint32(20)];
    if (isText(0, "RIFF") && isText(8, "WEBP")) {
        if (isText(12, "VP8X")) {
            const three = (at) => view.getUint16(at, true) + (bytes[at + 2] << 16);
            return [three(24) + 1, three(27) + 1];
        }
        if (isText(12, "VP8L")) {
            const bits = view.getUint32(21, true);
            return [(bits & 0x3FFF) + 1, (bits >>> 14 & 0x3FFF) + 1];
        }
        if (isText(12, "VP8 ")) return [view.getUint16(26, true) & 0x3FFF, view.getUint16(28, true) & 0x3FFF];
        return null;
    }
    if (bytes[0] !== 0xFF || bytes[1] !== 0xD8) return null;
    for (let at = 2; at + 9 < bytes.length;) {
        if (bytes[at] !== 0xFF) return null;
        const marker = bytes[at + 1];
        // What says the size of a frame, other than tables of codes.
        if (marker >= 0xC0 && marker <= 0xCF && ![0xC4, 0xC8, 0xCC].includes(marker)) {
            return [view.getUint16(at + 7), view.getUint16(at + 5)];
        }
        at += 2 + view.getUint16(at + 2);
    }
    return null;
}
