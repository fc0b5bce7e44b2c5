/** How far a right goes, as the server says it; each includes those before. */
const REACHES = ["nothing", "nameless", "own", "site"];

/** Who looks at the page, as the server wrote it into the page. What they may is looked at there again. */
export class Session {
    /** The name of their account; empty for whoever is here without one. */
    account;
    role;
    /** The slug of the person they are; empty if they are nobody who is registered. */
    user;
    #rights;

    constructor({ account = "", role = "", user = "", rights = "" }) {
        this.account = account;
        this.role = role;
        this.user = user;
        this.#rights = new Map(rights.split(" ").map((right) => right.split(":")));
    }

    /** How far they may: `nothing`, `nameless`, `own` or `site`. */
    reach(right) {
        return this.#rights.get(right) ?? "nothing";
    }

    /** Whether they may at least so far. */
    may(right, least = "site") {
        return REACHES.indexOf(this.reach(right)) >= REACHES.indexOf(least);
    }
}

/** How long a browser keeps a preference, in seconds: a year. */
const KEPT_S = 31_536_000;

/** Keeps how somebody wants pages to be, for the server to make them so; an empty value forgets it. */
export function keepPreference(name, value) {
    document.cookie = `beaconmesh_${name}=${encodeURIComponent(value)}; Path=/; SameSite=Lax; ` +
        `Max-Age=${value === "" ? 0 : KEPT_S}`;
}

/** A preference that was kept, or an empty text. */
export function preference(name) {
    const start = `beaconmesh_${name}=`;
    const kept = document.cookie.split("; ").find((one) => one.startsWith(start));
    return kept === undefined ? "" : decodeURIComponent(kept.slice(start.length));
}
