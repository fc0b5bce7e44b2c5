import { make, makeLink } from "../kit/element.js";
import { refusalWords } from "../kit/form.js";
import { sentence, t } from "../words/words.js";

/** The description of the interface, operation by operation. It is in English, as the interface is. */
export default async function docs(main, { api }) {
    main.classList.add("docs");
    main.append(make("p", "", ...sentence("docs.lead", {
        openapi: [makeLink("/api/v1/openapi.json", "openapi.json")],
        asyncapi: [makeLink("/api/v1/asyncapi.json", "asyncapi.json")],
    })));
    let description;
    try {
        description = await api.get("/api/v1/openapi.json");
    } catch (error) {
        main.append(make("p", "fault", refusalWords(error)[0]));
        return;
    }
    const tags = new Map();
    for (const [path, methods] of Object.entries(description.paths)) {
        for (const [method, about] of Object.entries(methods)) {
            const tag = about.tags[0];
            if (!tags.has(tag)) tags.set(tag, make("section", "", make("h2", "", tag)));
            tags.get(tag).append(operation(method, path, about));
        }
    }
    main.append(...tags.values());
}

/** What may be sent as a value, in words. */
function kind(schema) {
    if (schema.enum) return schema.enum.join(" | ");
    if (schema.items) return t("docs.list", { of: kind(schema.items) });
    if (schema.pattern) return t("docs.id");
    if (schema.type === "integer") {
        return t("docs.range", { least: String(schema.minimum), most: String(schema.maximum) });
    }
    if (schema.type === "string" && schema.maxLength) {
        return t("docs.text", { least: schema.minLength, most: schema.maxLength });
    }
    return schema.format ?? schema.type ?? t("docs.site-file");
}

function table(columns, rows) {
    const head = make("tr", "", ...columns.map((name) => make("th", "", name)));
    const body = rows.map((row) => make("tr", "", ...row.map((cell) => make("td", "", cell))));
    return make("table", "", make("thead", "", head), make("tbody", "", ...body));
}

function operation(method, path, about) {
    const inner = make("div", "inner");
    const roles = Object.entries(about["x-roles"] ?? {}).map(([role, reach]) =>
        reach === "yes" ? role : `${role} (${reach})`);
    inner.append(make("p", "detail",
        roles.length > 0 ? t("docs.roles", { roles: roles.join(", ") }) : t("docs.everybody")));
    const query = (about.parameters ?? []).filter((one) => one.name);
    if (query.length > 0) {
        inner.append(table(["parameter", "where", "value", "meaning"].map((one) => t(`docs.${one}`)), query.map((one) =>
            [one.name, one.in, kind(one.schema), one.description ?? ""])));
    }
    const [type, sent] = Object.entries(about.requestBody?.content ?? {})[0] ?? [];
    const body = sent?.schema;
    if (body?.properties) {
        inner.append(table(["member", "value", "meaning"].map((one) => t(`docs.${one}`)),
            Object.entries(body.properties).map(([name, schema]) =>
                [body.required?.includes(name) ? t("docs.needed", { name }) : name, kind(schema),
                    schema.description ?? ""])));
    } else if (body) {
        inner.append(make("p", "", type === "application/json"
            ? t("docs.as-site-file") : t("docs.whole", { type })));
    }
    inner.append(table(["status", "codes"].map((one) => t(`docs.${one}`)), Object.entries(about.responses).map(
        ([status, answer]) => [status, answer.description])));
    return make("details", "",
        make("summary", "", make("span", "method", method.toUpperCase()),
            make("code", "", path), ` ${about.summary}`), inner);
}

