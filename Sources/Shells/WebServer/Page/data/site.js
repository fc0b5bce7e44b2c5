import { compare } from "../words/words.js";

const NAMED = ["rooms", "stations", "nodes", "users", "beacons", "exercises"];

/**
 * What the page knows of the site: names, and the retained payloads by topic.
 *
 * Everything is kept in maps. A slug may well be `constructor`, which a plain object already has.
 */
export class Site {
    id = "";
    name = "";
    isDemo = false;
    /** Whether this is what the browser kept: what time it is nobody knows then. */
    isKept = false;
    /** How the coordinator fares, or `null`. */
    health = null;
    /** From kind (`rooms` …) to a map from slug to name. */
    #names = new Map(NAMED.map((kind) => [kind, new Map()]));
    /** From kind (`user` …) to a map from slug to a map from leaf (`presence` …) to payload. */
    #things = new Map();

    /** Takes the whole state: `{"names": …, "topics": {topic: payload}}`. */
    replace(snapshot) {
        this.rename(snapshot.names ?? {});
        this.#things = new Map();
        this.health = null;
        this.add(snapshot);
    }

    /** The whole state as `replace` takes it. */
    snapshot() {
        const topics = {};
        for (const [kind, things] of this.#things) {
            for (const [slug, leaves] of things) {
                for (const [leaf, payload] of leaves) {
                    const path = kind === "site" ? leaf : kind === "sighting" ? `node/${leaf}/rssi/${slug}` :
                        `${kind}/${slug}/${leaf}`;
                    topics[`mesh/v1/${this.id}/${path}`] = payload;
                }
            }
        }
        const names = { site: { id: this.id, name: this.name, demo: this.isDemo } };
        for (const [kind, known] of this.#names) names[kind] = Object.fromEntries(known);
        return { names, topics };
    }

    /** Takes a part of the state beside what there is. */
    add(snapshot) {
        for (const [topic, payload] of Object.entries(snapshot.topics ?? {})) {
            this.change(topic, payload);
        }
    }

    /** Takes other names; what is known of the things stays. */
    rename(names) {
        this.id = String(names.site?.id ?? "");
        this.name = String(names.site?.name ?? "");
        this.isDemo = names.site?.demo === true;
        for (const kind of NAMED) {
            this.#names.set(kind, new Map(Object.entries(names[kind] ?? {})));
        }
    }

    /** Takes one payload of a topic; `null` when the topic is gone. */
    change(topic, payload) {
        const [mesh, version, site, ...path] = topic.split("/");
        if (mesh !== "mesh" || version !== "v1") return;
        if (site === "core" && path[1] === "health") this.health = payload;
        if (site !== this.id) return;
        const [kind, slug, leaf] = path.length === 3 ? path :
            // What a node hears that is not registered.
            path.length === 4 && path[2] === "rssi" ? ["sighting", path[3], path[1]] :
                ["site", this.id, path.join("/")];
        const things = this.#inner(this.#things, kind);
        const leaves = this.#inner(things, slug);
        if (payload !== null && typeof payload === "object") {
            leaves.set(leaf, payload);
            return;
        }
        leaves.delete(leaf);
        if (leaves.size === 0) things.delete(slug);
    }

    /** A payload, or `null`: `site.payload("user", "u-1", "presence")`. */
    payload(kind, slug, leaf) {
        return this.#things.get(kind)?.get(slug)?.get(leaf) ?? null;
    }

    /** A payload of the site itself: `info` or `state`. */
    own(leaf) {
        return this.payload("site", this.id, leaf);
    }

    /** The payloads of a thing, as `[leaf, payload]`. */
    payloads(kind, slug) {
        return [...(this.#things.get(kind)?.get(slug) ?? [])];
    }

    /** The slugs of a kind of which anything is retained. */
    slugs(kind) {
        return [...(this.#things.get(kind)?.keys() ?? [])];
    }

    /** What people call a thing; its slug if it has no name. */
    nameOf(kind, slug) {
        return String(this.#names.get(kind)?.get(slug) ?? slug);
    }

    /** Whether a thing is registered at this site. */
    isNamed(kind, slug) {
        return this.#names.get(kind)?.has(slug) ?? false;
    }

    /** All slugs of a registered kind: as the site lists them, then any others by name. */
    listed(kind) {
        const known = this.#names.get(kind) ?? new Map();
        const order = new Map((this.own("info")?.[kind] ?? []).map((slug, index) => [slug, index]));
        const place = (slug) => order.get(slug) ?? order.size;
        return [...known.keys()].sort((a, b) =>
            place(a) - place(b) || compare(this.nameOf(kind, a), this.nameOf(kind, b)) ||
            compare(a, b));
    }

    #inner(map, key) {
        if (!map.has(key)) map.set(key, new Map());
        return map.get(key);
    }
}

