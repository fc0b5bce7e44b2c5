import { make, setText } from "./dom.js";

/** Shows the description of the interface, operation by operation. */
const part = (id) => document.getElementById(id);

/** What may be sent as a value, in words. */
function kind(schema) {
    if (schema.enum) return schema.enum.join(" | ");
    if (schema.items) return `list of ${kind(schema.items)}`;
    if (schema.pattern) return "id";
    if (schema.type === "integer") return `${schema.minimum} to ${schema.maximum}`;
    if (schema.type === "string" && schema.maxLength) {
        return `text of ${schema.minLength} to ${schema.maxLength}`;
    }
    return schema.format ?? schema.type ?? "see the site file";
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
        roles.length > 0 ? `For ${roles.join(", ")}.` : "For everybody."));
    const query = (about.parameters ?? []).filter((one) => one.name);
    if (query.length > 0) {
        inner.append(table(["parameter", "where", "value", "meaning"], query.map((one) =>
            [one.name, one.in, kind(one.schema), one.description ?? ""])));
    }
    const [type, sent] = Object.entries(about.requestBody?.content ?? {})[0] ?? [];
    const body = sent?.schema;
    if (body?.properties) {
        inner.append(table(["member", "value", "meaning"],
            Object.entries(body.properties).map(([name, schema]) =>
                [body.required?.includes(name) ? `${name} (needed)` : name, kind(schema),
                    schema.description ?? ""])));
    } else if (body) {
        inner.append(make("p", "", type === "application/json"
            ? "A JSON object with members as in the site file." : `The whole as ${type}.`));
    }
    inner.append(table(["status", "codes"], Object.entries(about.responses).map(
        ([status, answer]) => [status, answer.description])));
    return make("details", "",
        make("summary", "", make("span", "method", method.toUpperCase()),
            make("code", "", path), ` ${about.summary}`), inner);
}

const answer = await fetch("/api/v1/openapi.json").catch(() => null);
if (answer?.status === 401) {
    location.replace("/signin");
} else if (!answer?.ok) {
    setText(part("fault"), "The description cannot be loaded.");
    part("fault").hidden = false;
} else {
    const tags = new Map();
    for (const [path, methods] of Object.entries((await answer.json()).paths)) {
        for (const [method, about] of Object.entries(methods)) {
            const tag = about.tags[0];
            if (!tags.has(tag)) tags.set(tag, make("section", "", make("h2", "", tag)));
            tags.get(tag).append(operation(method, path, about));
        }
    }
    part("tags").append(...tags.values());
}
