import { NONE } from "../words/words.js";

/**
 * The only ways this page writes into itself. Text is always set as text: names come from people
 * and from the radio, and some of them look like markup.
 */

/** An element with a class and children (elements or text). */
export function make(tag, className = "", ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
}

/** Sets the text, if it differs: an untouched node disturbs no selection and no screen reader. */
export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/** Sets `data-` attributes; `null` removes one. */
export function setData(element, values) {
    for (const [name, value] of Object.entries(values)) {
        const text = value === null || value === undefined ? null : String(value);
        if (text === null) {
            delete element.dataset[name];
        } else if (element.dataset[name] !== text) {
            element.dataset[name] = text;
        }
    }
}

const rendered = new WeakMap();

/**
 * Makes the children of `parent` show `items`, in their order, keeping the elements of those that
 * stay.
 *
 * @param {Element} parent
 * @param {Array} items
 * @param {(item) => string} keyOf Unique among the items.
 * @param {(item) => Element} create
 * @param {(element: Element, item) => void} update
 */
export function showList(parent, items, keyOf, create, update) {
    const before = rendered.get(parent) ?? new Map();
    const focused = parent.contains(document.activeElement) ? document.activeElement : null;
    const after = new Map();
    let place = parent.firstElementChild;
    for (const item of items) {
        const key = keyOf(item);
        const element = before.get(key) ?? create(item);
        before.delete(key);
        after.set(key, element);
        update(element, item);
        if (element === place) {
            place = place.nextElementSibling;
        } else {
            parent.insertBefore(element, place);
        }
    }
    for (const element of before.values()) element.remove();
    rendered.set(parent, after);
    // An element that is moved loses the focus.
    if (focused !== document.activeElement && parent.contains(focused)) focused.focus({ preventScroll: true });
}

/**
 * Writes a sentence of texts (`"at "` or `{ text }`) and names (`{ name }`), each of which keeps its
 * direction of writing to itself.
 */
export function setSentence(element, parts) {
    const key = JSON.stringify(parts.map((part) => part.text instanceof Element ?
        [part.text.textContent, { ...part.text.dataset }] : part));
    if (sentences.get(element) === key) return;
    sentences.set(element, key);
    element.replaceChildren(...parts.map((part) =>
        typeof part === "string" ? part :
            "name" in part ? make("bdi", "", part.name) : part.text));
}

const sentences = new WeakMap();

/** Writes a table cell; `null` is shown as a dash, and left out where space is short. */
export function setCell(cell, text) {
    setData(cell, { empty: text === null ? "true" : null });
    setText(cell, text ?? NONE);
}

/** A table row with one cell per column, the first one heading the row. */
export function makeRow(columns) {
    return make("tr", "", ...columns.map((column, index) => {
        const cell = make(index === 0 ? "th" : "td");
        if (index === 0) cell.scope = "row";
        cell.dataset.label = column;
        return cell;
    }));
}

/**
 * Shows a name, which cannot change the direction of the text around it; `null` like `setCell`.
 */
export function setName(element, name) {
    setData(element, { empty: name === null ? "true" : null });
    let bdi = element.querySelector(":scope > bdi");
    if (bdi === null) {
        bdi = make("bdi");
        element.append(bdi);
    }
    setText(bdi, name ?? NONE);
}

/**
 * A table with the heads of its columns, and a word where it has no rows.
 *
 * @returns {{ box: Element, rows: Element }} All of it, and where the rows go.
 */
export function makeTable(label, columns, empty) {
    const head = make("tr", "", ...columns.map((column) => {
        const cell = make("th", "", column);
        cell.scope = "col";
        return cell;
    }));
    const rows = make("tbody");
    const table = make("table", "", make("thead", "", head), rows);
    table.setAttribute("aria-label", label);
    return { box: make("div", "rows", table, make("p", "empty", empty)), rows };
}

/** A part of a page under a heading of its own. */
export function makeSection(title, ...children) {
    const head = make("h2", "", title);
    const section = make("section", "", head, ...children);
    head.id = `section-${++sections}`;
    section.setAttribute("aria-labelledby", head.id);
    return section;
}

let sections = 0;

/** A link to another page of ours. */
export function makeLink(address, ...children) {
    const link = make("a", "", ...children);
    link.href = address;
    return link;
}

const SVG = "http" + "://www.w3.org/2000/svg";

/** An element of a drawing, with its attributes. */
export function makeShape(tag, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
}
