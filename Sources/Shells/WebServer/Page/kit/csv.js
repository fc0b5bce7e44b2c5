/** Lists that people paste or choose as a file: comma, semicolon or tab between values, quotes around what holds one. */

/** The separators, in the order in which they are tried. */
const SEPARATORS = ["\t", ";", ","];

/** The text of a file: UTF-8, or what spreadsheets write where that is not: UTF-16 with its mark, else Windows-1252. */
export function textOf(bytes) {
    const [first, second] = new Uint8Array(bytes.slice(0, 2));
    if (first === 0xFF && second === 0xFE) return new TextDecoder("utf-16le").decode(bytes);
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
        return new TextDecoder("windows-1252").decode(bytes);
    }
}

/** The rows of a list, each an array of trimmed values; empty lines are none. */
export function readRows(text) {
    const clean = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n").replaceAll("\r", "\n");
    const first = clean.slice(0, clean.indexOf("\n") < 0 ? undefined : clean.indexOf("\n"));
    const separator = SEPARATORS.find((one) => first.includes(one)) ?? ",";
    const rows = [];
    let [row, value, isQuoted, line] = [[], "", false, 1];
    let begun = 1;
    const endValue = () => {
        row.push(value.trim());
        value = "";
    };
    const endRow = () => {
        endValue();
        if (row.some((one) => one !== "")) rows.push({ line: begun, values: row });
        row = [];
    };
    for (let index = 0; index < clean.length; index += 1) {
        const letter = clean[index];
        if (isQuoted) {
            if (letter !== "\"") value += letter;
            else if (clean[index + 1] === "\"") value += clean[index += 1];
            else isQuoted = false;
            if (letter === "\n") line += 1;
        } else if (letter === "\"" && value.trim() === "") {
            [isQuoted, value] = [true, ""];
        } else if (letter === separator) {
            endValue();
        } else if (letter === "\n") {
            endRow();
            begun = line += 1;
        } else {
            value += letter;
        }
    }
    endRow();
    return rows;
}

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows as a file for spreadsheets: what looks like a formula begins with an apostrophe, as texts do there. */
export function writeRows(rows) {
    const told = (value) => {
        const text = FORMULA.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
        return /[",;\n\r]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text;
    };
    return `${rows.map((row) => row.map(told).join(",")).join("\r\n")}\r\n`;
}
