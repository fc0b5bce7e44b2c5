import { Refusal } from "../data/api.js";
import { make, setText } from "../kit/element.js";
import { refusalWords } from "../kit/form.js";
import { pngOf } from "../kit/picture.js";
import { t } from "../words/words.js";

/** What of the name of a file a picture may be called. */
function nameOf(file) {
    const plain = file.name.normalize("NFKD").replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9_-]+/g, "-")
        .replace(/^[-_]+|[-_]+$/g, "").slice(0, 48).toLowerCase();
    return `${plain === "" ? "picture" : plain}.png`;
}

/** Chooses a file as the picture of a card: it is uploaded at once, and named in the form. */
export function makeCardPicture({ api }, form) {
    const file = make("input");
    file.type = "file";
    file.accept = "image/png,image/jpeg,image/webp";
    file.id = "card-picture";
    const label = make("label", "", t("card.picture"));
    label.htmlFor = file.id;
    const said = make("p", "detail");
    said.setAttribute("role", "status");
    const preview = make("img", "card-preview");
    preview.alt = "";
    preview.hidden = true;
    file.addEventListener("change", async () => {
        const [chosen] = file.files;
        if (chosen === undefined) return;
        try {
            setText(said, t("form.loading"));
            const name = nameOf(chosen);
            const { data } = await api.ask("PUT", `/api/v1/pictures/${encodeURIComponent(name)}`, {
                body: { png: await pngOf(chosen) },
            });
            const field = form.field("picture");
            field.value = name;
            field.dispatchEvent(new Event("input", { bubbles: true }));
            preview.src = `/api/v1/pictures/${encodeURIComponent(name)}?version=${data.version}`;
            preview.hidden = false;
            setText(said, t("card.picture-kept", { name }));
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            setText(said, refusalWords(error).filter(Boolean).join(" "));
        }
        file.value = "";
    });
    return make("div", "field", label, file, said, preview);
}
