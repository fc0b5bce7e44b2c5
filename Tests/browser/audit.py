"""What can be found wrong with a page by looking at it: names, headings, colours, sizes, words.

Written for this dashboard; each check returns faults as sentences, so that a test shows all at once. The accessibility
tree is the browser's own, asked over its debugging protocol.
"""

# From which ratio on text is readable, and from which large text is: WCAG 2.2, 1.4.3.
CONTRAST = 4.5
CONTRAST_LARGE = 3
# The least height of what is touched, in CSS pixels.
TOUCH = 44

# What has to have a name, by its role in the accessibility tree of Chromium.
NAMED = {
    "button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider",
    "spinbutton", "Date", "DateTime", "InputTime", "ColorWell", "DisclosureTriangle", "PopUpButton", "ToggleButton",
    "table", "grid", "image", "img", "dialog", "tab", "menuitem",
}

# Functions that several checks need.
SHARED = """
const describe = (element) => {
    const id = element.id ? `#${element.id}` : "";
    const names = typeof element.className === "string" && element.className ?
        "." + element.className.trim().split(/\\s+/).join(".") : "";
    const text = element.textContent.trim().replace(/\\s+/g, " ").slice(0, 40);
    return `${element.localName}${id}${names} “${text}”`;
};
/** Whether it can be seen, by who can see: what stands there for screen readers only cannot. */
const seen = new Map();
const isSeen = (element) => {
    if (!seen.has(element)) {
        seen.set(element, isShown(element) && (element.parentElement === null || isSeen(element.parentElement)));
    }
    return seen.get(element);
};
const isShown = (element) => {
    if (element.matches(".skip:not(:focus)")) return false;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    return getComputedStyle(element).clipPath === "none" || element.getBoundingClientRect().width >= 2;
};
"""

STRUCTURE = SHARED + """
const faults = [];
const ids = new Map();
for (const { id } of document.querySelectorAll("[id]")) ids.set(id, (ids.get(id) ?? 0) + 1);
for (const [id, count] of ids) if (count > 1) faults.push(`the id ${id} is there ${count} times`);
for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "list", "for"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
        for (const id of element.getAttribute(name).split(/\\s+/).filter(Boolean)) {
            if (!ids.has(id)) faults.push(`${describe(element)} names the id ${id} by ${name}, which is not there`);
        }
    }
}
const heads = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((head) => head.checkVisibility());
const firsts = heads.filter((head) => head.localName === "h1");
if (firsts.length !== 1) {
    faults.push(`${firsts.length} headings of the first level: ${firsts.map(describe).join(", ")}`);
}
let before = 0;
for (const head of heads) {
    const level = Number(head.localName[1]);
    if (level > before + 1) faults.push(`${describe(head)} follows a heading of level ${before}`);
    if (head.textContent.trim() === "") faults.push(`${describe(head)} is empty`);
    before = level;
}
for (const table of document.querySelectorAll("table:not([aria-label], [aria-labelledby], :has(> caption))")) {
    // The browser takes a small one for layout, and leaves it out of its tree.
    if (table.checkVisibility()) faults.push(`${describe(table)} is a table without a name`);
}
for (const image of document.querySelectorAll("img:not([alt])")) faults.push(`${describe(image)} has no alt`);
for (const image of document.querySelectorAll("svg:not([aria-hidden=true], [aria-hidden=true] *)")) {
    const isNamed = image.getAttribute("role") === "img" || image.closest("[role=img], a, button") !== null;
    if (!isNamed && image.checkVisibility()) {
        faults.push(`${describe(image)} is neither hidden from screen readers nor an image with a name`);
    }
}
if (document.querySelectorAll("main").length !== 1) faults.push("not one main");
if (document.title.trim() === "") faults.push("no title");
return faults;
"""

TOUCHED = SHARED + """
const least = arguments[0];
const faults = [];
const touched = "button, input:not([type=hidden]), select, textarea, nav a, summary, a.button, #account-name, #sign-in";
for (const element of document.querySelectorAll(touched)) {
    if (!isSeen(element)) continue;
    const boxes = [element, ...(["checkbox", "radio"].includes(element.type) ?
        [...element.labels, element.closest(".tick")].filter(Boolean) : [])].map((one) => one.getBoundingClientRect());
    const height = Math.max(...boxes.map((box) => box.height));
    const width = Math.max(...boxes.map((box) => box.width));
    if (height < least - 0.5) faults.push(`${describe(element)} is only ${Math.round(height)} px high`);
    if (width < 24) faults.push(`${describe(element)} is only ${Math.round(width)} px wide`);
}
return faults;
"""

WIDE = SHARED + """
const width = arguments[0];
const faults = [];
const whole = document.documentElement.scrollWidth;
if (whole > width) faults.push(`the page is ${whole} px wide`);
for (const element of document.querySelectorAll("header *, main *, footer *, dialog[open] *")) {
    if (!isSeen(element) || element.closest("svg svg, svg *")) continue;
    // What a box that scrolls by itself holds may be wider than it.
    let isInside = false;
    for (let one = element.parentElement; one && !isInside; one = one.parentElement) {
        isInside = ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(one).overflowX);
    }
    if (isInside) continue;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.right > width + 0.5 || box.left < -0.5)) {
        faults.push(`${describe(element)} reaches from ${Math.round(box.left)} to ${Math.round(box.right)}`);
    }
}
return faults.slice(0, 12);
"""

CONTRASTS = SHARED + """
const [least, leastLarge] = arguments;
const faults = new Map();
const clear = [0, 0, 0, 0];
const parse = (text) => {
    const numbers = text.match(/-?[\\d.]+(e-?\\d+)?%?/g)?.map((one) =>
        one.endsWith("%") ? parseFloat(one) / 100 : parseFloat(one)) ?? [];
    if (/^rgba?\\(/.test(text)) return [numbers[0], numbers[1], numbers[2], numbers[3] ?? 1];
    if (/^color\\(srgb /.test(text)) return [...numbers.slice(0, 3).map((one) => one * 255), numbers[3] ?? 1];
    return text === "none" ? clear : null;
};
const over = (top, below) => {
    const alpha = top[3] + below[3] * (1 - top[3]);
    if (alpha === 0) return clear;
    return [...[0, 1, 2].map((one) =>
        (top[one] * top[3] + below[one] * below[3] * (1 - top[3])) / alpha), alpha];
};
const light = (color) => {
    const [red, green, blue] = color.map((one) => {
        const share = one / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const ratio = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
};
const hex = (color) => "#" + color.slice(0, 3).map((one) => Math.round(one).toString(16).padStart(2, "0")).join("");
/** What is seen behind the text of an element: the backgrounds up to the first that covers all. */
const behind = (element) => {
    let color = clear;
    for (let one = element; one && color[3] < 1; one = one.parentElement) {
        const style = getComputedStyle(one);
        if (style.backgroundImage !== "none") return null;
        color = over(color, parse(style.backgroundColor) ?? clear);
    }
    return over(color, document.documentElement.matches("[data-theme=dark]") ? [0, 0, 0, 1] : [255, 255, 255, 1]);
};
/** What is seen behind a point of a drawing. */
const behindPoint = (element) => {
    element.scrollIntoView({ block: "center", inline: "center" });
    const box = element.getBoundingClientRect();
    const stack = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    let color = clear;
    for (const one of stack.slice(stack.indexOf(element) + 1)) {
        const style = getComputedStyle(one);
        const isShape = one instanceof SVGGeometryElement;
        if (one instanceof SVGTextContentElement) continue;
        const own = parse(isShape ? style.fill : style.backgroundColor) ?? clear;
        color = over(color, isShape ? [...own.slice(0, 3), own[3] * Number(style.fillOpacity)] : own);
        if (color[3] >= 1) break;
    }
    return over(color, [255, 255, 255, 1]);
};
const check = (element, style, ground, what) => {
    if (ground === null || element.closest(":disabled, [aria-disabled=true]")) return;
    let opacity = 1;
    for (let one = element; one; one = one.parentElement) {
        // All of a page whose data are old is pale for as long as they are.
        if (one.matches(":root[data-stale=true] main")) continue;
        opacity *= Number(getComputedStyle(one).opacity);
    }
    const isDrawn = element instanceof SVGElement;
    const ink = parse(isDrawn ? style.fill : style.color);
    if (ink === null) {
        faults.set(style.color, `${describe(element)} has the colour ${style.color}, which this check cannot read`);
        return;
    }
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const found = ratio(over([ink[0], ink[1], ink[2], ink[3] * opacity], ground), ground);
    if (found >= (isLarge ? leastLarge : least) - 0.005) return;
    const key = `${element.localName}.${element.getAttribute("class")} ${hex(ink)} ${hex(ground)}`;
    if (!faults.has(key)) {
        faults.set(key, `${what} ${describe(element)}: ${hex(ink)} on ${hex(ground)} is ${found.toFixed(2)} : 1`);
    }
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const checked = new Set();
while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === "" || checked.has(element)) continue;
    checked.add(element);
    if (element.closest("script, style, noscript, option, title, datalist") || !isSeen(element)) continue;
    const style = getComputedStyle(element);
    check(element, style, element instanceof SVGElement ? behindPoint(element) : behind(element), "the text of");
}
const typed = "input:not([type=checkbox], [type=radio], [type=hidden]), select, textarea";
for (const element of document.querySelectorAll(typed)) {
    if (!isSeen(element)) continue;
    check(element, getComputedStyle(element), behind(element), "what is typed into");
    if (element.placeholder && element.value === "") {
        check(element, getComputedStyle(element, "::placeholder"), behind(element), "the example in");
    }
}
for (const element of document.querySelectorAll("main *, header *")) {
    if (!isSeen(element)) continue;
    for (const pseudo of ["::before", "::after"]) {
        const style = getComputedStyle(element, pseudo);
        if (style.content === "none" || style.content === "normal" || !/[\\p{L}\\p{N}]/u.test(style.content)) continue;
        if (style.display === "none") continue;
        check(element, style, behind(element), `what stands ${pseudo.slice(2)}`);
    }
}
return [...faults.values()];
"""

# Texts that look like the key of a word which is missing.
KEYS = SHARED + """
const prefixes = new Set(arguments[0]);
const faults = [];
const isKey = (text) => /^[a-z]+(\\.[a-z_-]+)+$/.test(text) && prefixes.has(text.split(".")[0]);
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    // What machines read is shown as it is: members, scopes, files.
    if (element.closest("code, script, style, bdi")) continue;
    // A path such as /nodes/{id} is no sentence with a value missing.
    if (isKey(text) || /(?<![/\\w])\\{\\w+\\}/.test(text)) faults.push(`${describe(element)} says ${text}`);
}
for (const element of document.querySelectorAll("[aria-label], [placeholder], [title], [data-label]")) {
    for (const name of ["aria-label", "placeholder", "title", "data-label"]) {
        const text = element.getAttribute(name) ?? "";
        if (isKey(text)) faults.push(`${describe(element)} has the ${name} ${text}`);
    }
}
return faults;
"""


def accessible(page):
    """What has no name, or a tree that the browser does not make."""
    nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = {}
    faults = []
    for node in nodes:
        if node.get("ignored"):
            continue
        role = node.get("role", {}).get("value", "")
        roles[role] = roles.get(role, 0) + 1
        if role in NAMED and not node.get("name", {}).get("value", "").strip():
            faults.append(f"a {role} has no name: {_described(page, node)}")
    if not {"main", "heading"} <= roles.keys():
        faults.append(f"screen readers find no main part or no heading: {sorted(roles)}")
    return faults


def _described(page, node):
    """What a node of the accessibility tree is in the document."""
    number = node.get("backendDOMNodeId")
    if number is None:
        return "of no element"
    try:
        return page.driver.execute_cdp_cmd("DOM.getOuterHTML", {"backendNodeId": number})["outerHTML"][:160]
    except Exception:  # pylint: disable=broad-except
        # It went away while the page went on.
        return "gone by now"


def contrasts(page):
    """Text that can hardly be read, in both themes."""
    faults = []
    before = page.run("return document.documentElement.dataset.theme ?? null")
    for theme in ("light", "dark"):
        page.run("document.documentElement.dataset.theme = arguments[0]", theme)
        faults += [f"{theme}: {fault}" for fault in page.run(CONTRASTS, CONTRAST, CONTRAST_LARGE)]
    page.run("""
        if (arguments[0] === null) delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = arguments[0];
        window.scrollTo(0, 0);
    """, before)
    return faults


def everything(page, width, prefixes, with_colours=True):
    """All that is wrong with a page; `prefixes` are the first parts of the keys of words."""
    return [
        *page.run(WIDE, width), *page.run(STRUCTURE), *page.run(KEYS, prefixes), *page.run(TOUCHED, TOUCH),
        *accessible(page), *(contrasts(page) if with_colours else []),
    ]
