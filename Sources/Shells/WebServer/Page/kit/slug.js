/** The longest slug that is made of a name, in characters: there is room for a number behind it. */
const LONGEST = 60;

/**
 * A slug that no other thing of its kind has: the name as far as slugs may have its letters.
 *
 * @param {string} otherwise What it begins with if a name has no such letters.
 * @param {(slug: string) => boolean} isTaken
 */
export function freeSlug(name, otherwise, isTaken) {
    const plain = name.normalize("NFKD").toLowerCase().replaceAll("ß", "ss").replaceAll(/\p{M}/gu, "").replaceAll(/[^a-z0-9]+/g, "-");
    const base = plain.slice(0, LONGEST).replaceAll(/^-|-$/g, "") || otherwise;
    let slug = base;
    for (let count = 2; isTaken(slug); count += 1) slug = `${base}-${count}`;
    return slug;
}

/** The letters of a pseudonym. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** An id of a person, which says nothing of them. */
export function pseudonym(isTaken) {
    let id;
    do {
        const bytes = crypto.getRandomValues(new Uint8Array(6));
        id = `u-${[...bytes].map((byte) => LETTERS[byte % LETTERS.length]).join("")}`;
    } while (isTaken(id));
    return id;
}
