import { Refusal } from "../data/api.js";
import { openForm } from "../kit/box.js";
import { make, makeLink, makeSection, setName, setSentence, setText, showList } from "../kit/element.js";
import { makeButton, refusalWords } from "../kit/form.js";
import { has, number, percent, sentence, t } from "../words/words.js";
import { level } from "./devices.js";
import { CHANGE_RIGHT, addressWords, makeMark, readTypes, showMark, spanWords, typeWords } from "./discover.js";

/** The page asks so often while somebody sees it, in ms. */
const LOOK_MS = 2000;
/** The longest beginning of a name that a rule may have, in characters. */
const RULE_NAME = 30;

/** One visit of a stranger's device: all that is known of it, who heard it, and where it was. */
export default function showDetection(main, tools) {
    const { site, session, api, params, time, announce, drawSoon } = tools;
    const address = `/api/v1/detections/${encodeURIComponent(params.id)}`;
    const title = make("bdi");
    main.querySelector("h1").replaceChildren(title);
    const fault = make("p", "fault");
    fault.setAttribute("role", "alert");
    fault.hidden = true;
    const mark = makeMark();
    const lead = make("p");
    lead.id = "found-lead";
    const head = make("div", "found-head", mark, lead);
    const facts = make("dl", "facts-list");
    facts.id = "found-facts";
    const hearers = make("ul", "hearers");
    hearers.id = "found-hearers";
    const unheard = make("p", "detail", t("discover.heard-none"));
    const position = make("p");
    position.id = "found-position";
    const all = makeLink("/discover", t("discover.all"));
    const rule = makeLink("/setup/device-rules", t("discover.add-rule"));
    const remove = makeButton(t("discover.delete"), () => openForm(t("discover.delete-title"), t("discover.delete-lead"), {
        go: t("discover.delete-go"),
        send: async () => {
            await api.ask("DELETE", address);
            isOver = true;
            announce(t("discover.deleted"));
            location.assign("/discover");
        },
    }), "quiet danger");
    remove.id = "found-delete";
    // The lists of the site are for those alone who may set it up.
    rule.hidden = !session.may(CHANGE_RIGHT) || !session.may("places.write");
    const known = make("div", "found-parts", head, facts, makeSection(t("discover.heard"), hearers, unheard),
        makeSection(t("discover.position"), position));
    known.hidden = true;
    main.append(fault, known, make("div", "buttons", rule, all, ...(session.may(CHANGE_RIGHT) ? [remove] : [])));
    remove.hidden = true;
    let row = null;
    let types = new Map();
    let wrong = "";
    let isAsking = false;
    /** Whether it is gone: it is not asked for any more. */
    let isOver = false;

    async function load() {
        if (isAsking || isOver) return;
        isAsking = true;
        try {
            const { detection, nodes } = await api.get(address);
            [row, wrong] = [{ ...detection, nodes }, ""];
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            // What was seen a moment ago is still shown while the line is away.
            if (error.code === "not_found") [row, isOver] = [null, true];
            wrong = error.code === "not_found" ? t("discover.gone") : refusalWords(error).filter(Boolean).join(" ");
        }
        isAsking = false;
        drawSoon();
    }

    setInterval(() => {
        if (document.visibilityState === "visible") load();
    }, LOOK_MS);
    load();
    readTypes(api).then((found) => {
        types = found;
        drawSoon();
    });

    return {
        draw(now) {
            setText(fault, wrong);
            fault.hidden = wrong === "";
            known.hidden = remove.hidden = row === null;
            const name = row === null ? t("page.detection") : typeWords(row, types);
            setText(title, name);
            const words = `${name} · ${site.name || "Beaconmesh"}`;
            if (document.title !== words) document.title = words;
            if (row === null) return;
            showMark(mark, types.get(row.type));
            setName(lead, row.name || row.ssid || (row.address === undefined ? name : addressWords(row.address)));
            const lines = factsOf(now);
            showList(facts, lines, ([key]) => key, ([key]) => {
                const line = make("div", "", make("dt", "", t(`discover.fact.${key}`)), make("dd"));
                line.dataset.fact = key;
                return line;
            }, (line, [, text]) => setName(line.lastElementChild, text));
            const nodes = row.nodes ?? [];
            unheard.hidden = nodes.length > 0;
            showList(hearers, nodes, ({ node }) => node, makeHearer, (line, one) => {
                setName(line.firstElementChild, site.nameOf("nodes", one.node));
                setText(line.lastElementChild, [one.rssi === undefined ? "" : level(one.rssi),
                    t("discover.hits", { n: one.hits }), spanWords(one, time, now)].filter(Boolean).join(" · "));
            });
            setSentence(position, positionParts());
            rule.href = ruleAddress();
        },
    };

    /** `[key, text]` of each member that is known. */
    function factsOf(now) {
        const type = types.get(row.type);
        const icon = `discover.icon.${type?.icon}`;
        const told = {
            type: row.type === undefined ? null : typeWords(row, types),
            kind: has(icon) ? t(icon) : null,
            about: type?.description ?? null,
            said: row.said ?? null,
            confidence: row.confidence === undefined ? null : percent(row.confidence),
            name: row.name ?? null,
            ssid: row.ssid ?? null,
            address: row.address === undefined ? null : addressWords(row.address),
            level: row.rssi === undefined ? null : level(row.rssi),
            node: row.node === undefined ? null : site.nameOf("nodes", row.node),
            room: row.room === undefined ? null : site.nameOf("rooms", row.room),
            source: row.source === "mesh" ? t("discover.source-mesh") : row.source,
            seen: spanWords(row, time, now),
            hits: number(row.hits),
            speed: row.speed_m_s === undefined ? null : `${number(row.speed_m_s)} m/s`,
            heading: row.heading_deg === undefined ? null : `${number(row.heading_deg)}°`,
            activity: row.activity ?? null,
        };
        return Object.entries(told).filter(([, text]) => text !== null && text !== "");
    }

    /** Where it was, and who says so, as parts of a sentence. */
    function positionParts() {
        const room = row.room === undefined ? null : { name: site.nameOf("rooms", row.room) };
        const node = row.node === undefined ? null : { name: site.nameOf("nodes", row.node) };
        if (Number.isFinite(row.latitude) && Number.isFinite(row.longitude)) {
            const at = [row.latitude, row.longitude].map((one) => one.toFixed(6)).join(", ");
            if (row.position_age_ms !== undefined) {
                return sentence("discover.at-phone", { at, seconds: `${Math.round(row.position_age_ms / 1000)}` });
            }
            return row.source === "mesh" ? sentence("discover.at-mesh", { at }) :
                sentence("discover.at-source", { at, source: { name: row.source } });
        }
        if (node !== null) {
            return room === null ? sentence("discover.at-node", { node }) : sentence("discover.at-node-room", { node, room });
        }
        return room === null ? sentence("discover.at-nowhere") : sentence("discover.at-room", { room });
    }

    /** The form of a new rule, in which stands what the visit says. */
    function ruleAddress() {
        const given = new URLSearchParams();
        const name = [...row.name ?? ""].slice(0, RULE_NAME).join("");
        if (name !== "") given.set("name_prefix", name);
        if (row.type !== undefined) given.set("type", row.type);
        const words = given.toString();
        return words === "" ? "/setup/device-rules" : `/setup/device-rules?${words}`;
    }
}

function makeHearer({ node }) {
    return make("li", "", makeLink(`/nodes/${encodeURIComponent(node)}`), " ", make("span", "detail"));
}
