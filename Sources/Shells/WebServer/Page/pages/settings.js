import { make, makeLink } from "../kit/element.js";
import { fieldOf, memberLabel } from "../kit/fields.js";
import { makeForm } from "../kit/form.js";
import { makePart } from "../kit/part.js";
import { makeStored } from "../kit/stored.js";
import { number, t } from "../words/words.js";
import { makeContentSource } from "./content-source.js";
import { makeStarts } from "./settings-training.js";
import { makeMailServer } from "./mail-server.js";
import { makeState } from "./settings-state.js";
import { makeWebhooks } from "./webhooks.js";

/** The settings of the site by what they are about, each by how its way begins; those of no group come last. */
const GROUPS = [
    ["site", ["site."]],
    ["attendance", ["attendance.", "presence.site.", "doubts."]],
    ["locating", ["locating.", "presence.", "station_floor_dbm", "site_floor_dbm"]],
    ["nodes", ["profile", "sparse_hours", "detect", "burst", "max_range_m.", "publish_unregistered"]],
    ["privacy", ["privacy."]],
    ["content", ["content."]],
    ["other", [""]],
];

/** Everything that can be set of a site; each setting with what it does, its range and what it is otherwise. */
export default function settings(main, tools) {
    const { api, announce, session } = tools;
    const stored = makeStored(api, "/api/v1/settings");
    const parts = [];
    const folds = make("div", "settings");

    const part = makePart(async () => {
        const [{ operations }] = await Promise.all([api.get("/api/v1/operations"), stored.read()]);
        const asked = new Map(operations.map((one) => [one.name, one]));
        const rest = new Set(asked.get("settings-change")?.members ?? []);
        const sections = new Map(GROUPS.map(([name, begins]) => {
            const own = [...rest].filter(({ name: way }) => begins.some((begin) => way.startsWith(begin)));
            for (const member of own) rest.delete(member);
            return [name, own];
        }));
        for (const name of ["site", "attendance", "training", "locating", "nodes", "notices", "mail", "webhooks", "privacy",
            "content", "state", "other"]) {
            const element = makeSection(name, sections.get(name), asked);
            if (element !== null) folds.append(element);
        }
        open();
    });
    main.append(make("p", "detail", t("settings.lead")), part.element, folds,
        make("p", "detail", makeLink("/setup", t("settings.setup")), " · ",
            Object.assign(makeLink("/api/v1/site.yaml", t("settings.file")), { download: "site.yaml" })));
    part.load();
    window.addEventListener("hashchange", open);

    /** The group that the address names. */
    function open() {
        const fold = document.getElementById(`settings-${location.hash.slice(1)}`);
        if (fold === null) return;
        fold.open = true;
        fold.scrollIntoView();
    }

    function makeSection(name, members, asked) {
        // What is promised to people is for who may change people.
        if (name === "privacy" && !session.may("people.write")) return null;
        const content = [];
        if (members !== undefined) {
            const form = settingsForm(stored, members);
            if (form === null) return null;
            content.push(form);
            const source = name === "content" ? makeContentSource(tools, asked) : null;
            if (source !== null) content.push(source.element);
            if (name === "privacy" && session.may("privacy")) {
                content.push(make("p", "", t("settings.privacy-people"), " ", makeLink("/people", t("page.people"))));
            }
        } else if (name === "notices" && asked.has("notifications-change")) {
            content.push(noticesForm(asked.get("notifications-change").members));
        } else {
            const make = { training: makeStarts, mail: makeMailServer, webhooks: makeWebhooks, state: makeState }[name];
            const one = make?.(tools, asked) ?? null;
            if (one === null) return null;
            content.push(one.element);
            parts.push(one);
        }
        const fold = make("details", "fold", make("summary", "", make("b", "", t(`settings.${name}`)), " ",
            make("span", "detail", t(`settings.${name}-lead`))), make("div", "fold-content", ...content));
        fold.id = `settings-${name}`;
        return fold;
    }

    function settingsForm(target, members) {
        const scaled = members.map(inUnit);
        const fields = scaled.map(settingField).filter((field) => field !== null);
        if (fields.length === 0) return null;
        const form = makeForm({
            fields, go: t("setup.save"),
            send: async (values) => {
                await target.change(form, scaled, values, new Map());
                announce(t("settings.saved"));
            },
        });
        target.show(form, scaled);
        return form;
    }

    /** When people are told what: a thing of its own, which is stored elsewhere. */
    function noticesForm(members) {
        const target = makeStored(api, "/api/v1/notifications");
        const form = settingsForm(target, members);
        const box = make("div", "", form);
        const part = makePart(async () => {
            await target.read();
            target.show(form, members.map(inUnit));
        });
        box.prepend(part.element);
        part.load();
        return box;
    }

    return {
        draw(now) {
            for (const { draw } of parts) draw?.(now);
        },
    };
}

/** A span of seconds in the unit in which people say what it usually is. */
function inUnit(member) {
    if (!member.name.endsWith("_s") || member.form !== "number") return member;
    const { preset: usual, least } = member;
    const fits = (factor) => usual % factor === 0 && (least === 0 || least >= factor / 2);
    const [unit, factor] = usual > 0 && fits(3600) ? ["h", 3600] : fits(60) ? ["min", 60] : ["s", 1];
    return { ...member, unit, factor };
}

function settingField(member) {
    const { name, unit, factor = 1, preset, least, most, words } = member;
    const field = fieldOf({ ...member, least: least / factor, most: most / factor }, new Map());
    if (field === null) return null;
    const range = member.form === "number" || member.form === "whole" ?
        t("settings.range", { least: number(least / factor), most: number(most / factor) }) : "";
    const usual = typeof preset === "boolean" || preset === undefined ? "" : t("settings.usual", {
        value: words !== undefined ? field.options.find(([word]) => word === preset)?.[1] ?? preset :
            typeof preset === "number" ? number(preset / factor) : preset,
    });
    const hint = [field.hint, usual, range].filter(Boolean).join(" ");
    const more = {
        "site.name": { isNeeded: true, least: 1 },
        "site.time_zone": { options: Intl.supportedValuesOf("timeZone").map((zone) => [zone, zone]) },
        "site.day_start": { kind: "time", least: undefined, most: undefined },
    }[name] ?? {};
    return {
        ...field, ...more, hint: hint === "" ? undefined : hint,
        label: unit === undefined ? memberLabel(name) : `${memberLabel(name)} (${t(`settings.unit-${unit}`)})`,
    };
}
