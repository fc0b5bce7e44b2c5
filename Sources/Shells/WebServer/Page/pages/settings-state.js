import { make, makeLink, setData, setSentence, setText, showList } from "../kit/element.js";
import { number, t } from "../words/words.js";
import { alertLines, grouped, listeningOf, remedyOf } from "./nodes.js";

/** How the machine and its nodes fare: what is wrong and what to do about it, the broker, backups, versions. */
export function makeState({ site, time }) {
    const well = make("p");
    const wrong = make("ul", "entries");
    const facts = make("ul", "facts");
    return {
        element: make("div", "", well, wrong, facts, make("p", "", makeLink("/nodes", t("page.nodes")))),
        draw(now) {
            const lines = grouped(alertLines(site, now).filter(({ state }) => state !== "note"));
            const { listening, total } = listeningOf(site, now);
            well.hidden = lines.length > 0;
            setText(well, t("settings.state-well"));
            showList(wrong, lines, ({ key }) => key, () => make("li", "", make("b"), make("p", "detail")),
                (line, { text, node, alert }) => {
                    setData(line, { alert, node });
                    setSentence(line.children[0], text);
                    setText(line.children[1], remedyOf(alert) ?? "");
                });
            const { health } = site;
            const newest = health?.backups?.newest;
            const said = [
                ["nodes", t("settings.state-nodes", { n: listening, all: total })],
                ["backup", health === null || health === undefined ? t("settings.state-unknown") :
                    newest ? t("settings.state-backup", {
                        time: time.short(newest.at_ms, now), size: `${number(newest.bytes / 1e6)} MB`, file: newest.file,
                    }) : t("settings.state-no-backup")],
                ["failures", health?.backups?.failures > 0 ?
                    t("settings.state-failures", { n: health.backups.failures }) : ""],
                ["restore", t("settings.state-restore")],
                ["waiting", health?.facts_waiting > 0 ? t("settings.state-waiting", { n: health.facts_waiting }) : ""],
                ["version", t("settings.state-version", { versions: versions(site) })],
            ].filter(([, text]) => text !== "");
            showList(facts, said, ([key]) => key, ([key]) => {
                const line = make("li");
                line.id = `state-${key}`;
                return line;
            }, (line, [, text]) => setText(line, text));
        },
    };
}

/** Versions of nodes, each once. */
function versions(site) {
    const found = site.listed("nodes").map((node) => site.payload("node", node, "info")?.version).filter(Boolean);
    return [...new Set(found)].sort().join(", ") || "–";
}
