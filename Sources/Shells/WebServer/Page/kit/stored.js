import { Refusal } from "../data/api.js";
import { t } from "../words/words.js";
import { memberLabel, saidOf, sentOf, shownIn } from "./fields.js";

/** The value at a way such as `site.name`. */
function valueAt(row, name) {
    return name.split(".").reduce((value, key) => value?.[key], row);
}

function put(body, name, value) {
    const keys = name.split(".");
    const last = keys.pop();
    keys.reduce((part, key) => part[key] ??= {}, body)[last] = value;
}

/**
 * Something that is stored and changed member by member, each time against what was read: who was quicker is seen, and
 * what somebody has typed stays.
 *
 * @param {Api} api
 * @param {string} address
 */
export function makeStored(api, address) {
    let [known, tag] = [null, null];

    async function read() {
        ({ data: known, etag: tag } = await api.ask("GET", address));
    }

    /** Shows in a form what is stored; what was typed and is not sent stays. */
    function show(form, members) {
        form.refill(Object.fromEntries(members.filter(({ name }) => form.field(name) !== undefined)
            .map((member) => [member.name, shownIn(member, valueAt(known, member.name) ?? member.preset)])));
    }

    return {
        read, show,
        get row() {
            return known;
        },
        get tag() {
            return tag;
        },
        /** Stores what was typed into a form, and nothing else. */
        async change(form, members, values, rows) {
            if (known === null) throw new Refusal("not_loaded");
            const body = {};
            for (const member of members) {
                // What nobody typed stays as it is, whatever a field can show of it.
                if (!form.isTyped(member.name)) continue;
                const value = sentOf(member, values[member.name]);
                if (JSON.stringify(value) !== JSON.stringify(valueAt(known, member.name) ?? null)) {
                    put(body, member.name, value);
                }
            }
            if (Object.keys(body).length === 0) return;
            const ask = async () => {
                ({ data: known, etag: tag } = await api.ask("PATCH", address, { body, ifMatch: tag }));
            };
            try {
                await ask();
            } catch (error) {
                if (!(error instanceof Refusal) || error.code !== "precondition_failed") throw error;
                const before = known;
                await read();
                show(form, members);
                const others = members.filter(({ name }) =>
                    JSON.stringify(valueAt(known, name)) !== JSON.stringify(valueAt(before, name)));
                // Something else of it has changed.
                if (others.length === 0) return ask();
                const what = others.map((member) =>
                    `${memberLabel(member.name)}: ${saidOf(member, valueAt(known, member.name), rows) ?? "–"}`);
                throw new Refusal("precondition_failed", t("setup.now", { what: what.join(" · ") }), 412);
            }
            show(form, members);
        },
    };
}
