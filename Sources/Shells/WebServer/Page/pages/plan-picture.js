import { Refusal } from "../data/api.js";
import { openForm } from "../kit/box.js";
import { make, makeSection, makeShape, setText } from "../kit/element.js";
import { makeButton, refusalWords } from "../kit/form.js";
import { pngOf } from "../kit/picture.js";
import { t } from "../words/words.js";

const ADDRESS = "/api/v1/plan/pictures";

/** The pictures under the plan by storey; none for who may not read them. */
export async function readPictures(api) {
    const { pictures } = await api.get(ADDRESS);
    return new Map(pictures.map((one) => [one.storey, one]));
}

/** A picture as it lies in a drawing in metres: drawn anew it is the same element, and is asked for once. */
export function makePictureShape() {
    let [shape, known] = [null, ""];
    return ({ storey, x_m: x, y_m: y, width_m: width, height_m: height, version }) => {
        const href = `${ADDRESS}/${storey}?version=${version}`;
        if (href !== known) {
            shape = makeShape("image", { class: "plan-picture", href, preserveAspectRatio: "none" });
            known = href;
        }
        for (const [name, value] of Object.entries({ x, y, width, height })) shape.setAttribute(name, String(value));
        return shape;
    };
}

/**
 * The picture under the storey that is shown: laid there, scaled by two points whose distance is known, moved by figures,
 * taken away. Each is stored at once; nothing is located by it.
 */
export function makePlanPicture({ api, announce }, storeyShown, changed) {
    let pictures = new Map();
    /** The points of a measurement so far; `null`: nobody measures. */
    let points = null;
    /** On which storey. */
    let measured = 0;
    const file = make("input");
    file.type = "file";
    file.accept = "image/png,image/jpeg,image/webp";
    file.id = "picture-file";
    file.setAttribute("aria-label", t("picture.lay"));
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const shapeOf = makePictureShape();
    const hint = make("p", "said");
    hint.setAttribute("role", "status");
    const measure = makeButton(t("picture.scale"), () => {
        points = points === null ? [] : null;
        measured = storeyShown();
        draw();
        changed();
    });
    measure.id = "scale-picture";
    const move = makeButton(t("picture.move"), askToMove, "quiet");
    move.id = "move-picture";
    const away = makeButton(t("picture.remove"), () => attempt(async () => {
        const storey = storeyShown();
        await api.ask("DELETE", `${ADDRESS}/${storey}`);
        pictures.delete(storey);
        announce(t("picture.removed"));
    }), "quiet danger");
    away.id = "remove-picture";
    const element = makeSection(t("picture.title"), make("p", "detail", t("picture.lead")), file,
        make("div", "buttons", measure, move, away), hint, fault);

    file.addEventListener("change", () => attempt(async () => {
        const [chosen] = file.files;
        if (chosen === undefined) return;
        const storey = storeyShown();
        setText(hint, t("picture.reading"));
        try {
            const png = await pngOf(chosen);
            const { x_m: x, y_m: y, width_m: width } = pictures.get(storey) ?? { x_m: 0, y_m: 0, width_m: 20 };
            await store("PUT", storey, { png, x_m: x, y_m: y, width_m: width });
            announce(t("picture.laid"));
        } finally {
            file.value = "";
            setText(hint, "");
        }
    }));

    async function store(method, storey, body) {
        const { data } = await api.ask(method, `${ADDRESS}/${storey}`, { body });
        pictures.set(data.storey, data);
        changed();
    }

    /** Does something, and says why not. */
    async function attempt(act) {
        fault.hidden = true;
        try {
            await act();
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(fault, refusalWords(error).filter(Boolean).join(" "));
            fault.hidden = false;
        }
        draw();
        changed();
    }

    function askToMove() {
        const storey = storeyShown();
        const { x_m: x, y_m: y, width_m: width } = pictures.get(storey);
        const figure = (name, value, least) => ({ name, label: t(`plan-editor.${name}`), kind: "number", value, isNeeded: true,
            step: "any", least, most: 10_000 });
        openForm(t("picture.move"), t("picture.move-lead"), {
            go: t("plan-editor.set"),
            fields: [figure("x", x, -10_000), figure("y", y, -10_000), figure("width", width, 0.1)],
            send: async (typed) => store("PATCH", storey, { x_m: Number(typed.x), y_m: Number(typed.y), width_m: Number(typed.width) }),
        });
    }

    /** Asks how far two points are from each other: the first stays where it is. */
    function askDistance([[ax, ay], [bx, by]]) {
        const drawn = Math.hypot(bx - ax, by - ay);
        const storey = storeyShown();
        const { x_m: x, y_m: y, width_m: width } = pictures.get(storey);
        openForm(t("picture.scale"), t("picture.scale-lead"), {
            go: t("plan-editor.set"),
            fields: [{ name: "metres", label: t("picture.metres"), kind: "number", isNeeded: true, step: "any", least: 0.1,
                most: 1000 }],
            send: async ({ metres }) => {
                const by = Number(metres) / drawn;
                await store("PATCH", storey, { x_m: ax - (ax - x) * by, y_m: ay - (ay - y) * by, width_m: width * by });
                announce(t("picture.scaled"));
            },
        });
    }

    function draw() {
        const isThere = pictures.has(storeyShown());
        if (!isThere || measured !== storeyShown()) points = null;
        for (const button of [measure, move, away]) button.hidden = !isThere;
        measure.setAttribute("aria-pressed", String(points !== null));
        if (points !== null) setText(hint, t(points.length === 0 ? "picture.first-point" : "picture.second-point"));
        else if (!file.value) setText(hint, "");
    }

    return {
        element, draw,
        async load() {
            pictures = await readPictures(api);
        },
        get shown() {
            return pictures.get(storeyShown()) ?? null;
        },
        get shapes() {
            return pictures.has(storeyShown()) ? [shapeOf(pictures.get(storeyShown()))] : [];
        },
        get isMeasuring() {
            return points !== null;
        },
        /** Where whoever measures points to. */
        point(x, y) {
            if (points.length === 1 && Math.hypot(points[0][0] - x, points[0][1] - y) < 0.05) return;
            points.push([x, y]);
            if (points.length === 2) {
                const both = points;
                points = null;
                askDistance(both);
            }
            draw();
            changed();
        },
        marks() {
            return (points ?? []).map(([cx, cy]) => makeShape("circle", { class: "point", cx, cy, r: 0.2 }));
        },
    };
}
