import { Refusal } from "../data/api.js";
import { make, makeLink, setSentence, setText } from "../kit/element.js";
import { makeButton, makeForm, refusalWords } from "../kit/form.js";
import { findPerson, labelOf, offerPeople } from "../kit/choose-person.js";
import { addDays, t } from "../words/words.js";
import { captionOf, drawTable, shiftNames } from "./report-table.js";

/** The reports, with the kind of period that each is usually about; `present` is about now. */
export const PERIODS = new Map([
    ["attendance-day", "day"], ["attendance-month", "month"], ["overtime", "month"], ["late-early", "month"],
    ["time-in-place", "day"], ["present", "now"], ["between", "moments"], ["contacts", "day"], ["twins", "month"],
]);
/** The most days of one report; those that compare everybody with everybody are about fewer. */
const MOST_DAYS = new Map([["contacts", 14], ["twins", 100]]);
const MOST_DAYS_ELSE = 800;
/** Reports without lengths, which nothing can be rounded in. */
const WITHOUT_LENGTHS = new Set(["present", "twins"]);
const PARAMETERS = ["date", "month", "from", "to", "user", "least_min", "round_min", "rounding"];

/** Reports as tables, on paper and as files. The address carries what was asked for. */
export default function reports(main, tools) {
    const { site, time, session, api, announce } = tools;
    const isForAll = session.may("reports");
    const form = makeFilter(isForAll, (values) => orderOf(values, site), show);
    form.field("report").addEventListener("change", () => {
        const period = PERIODS.get(form.field("report").value);
        if (["day", "month"].includes(period)) form.field("period").value = period;
    });
    form.addEventListener("change", () => arrange(form));
    const caption = make("p", "caption");
    const spreadsheet = makeLink("#", t("reports.csv-spreadsheet"));
    const csv = makeLink("#", t("reports.csv"));
    csv.className = spreadsheet.className = "button";
    const actions = make("div", "buttons", csv, spreadsheet, makeButton(t("reports.print"), () => window.print()));
    actions.hidden = true;
    const result = make("div", "report");
    main.append(make("div", "panel report-bar", form), actions, caption, result);
    let shifts = null;
    let latest = null;

    async function show(order) {
        setText(caption, t("reports.loading"));
        try {
            shifts ??= await shiftNames(api);
            const answer = await api.get(`/api/v1/reports/${order.report}.json?${query(order)}`);
            history.replaceState(null, "", `?${query(order, true)}`);
            // Nobody named a day: the site's own is the day that the report begins with.
            if (isToday(order) && form.field("date").value === "") form.fill({ date: time.date(answer.from_ms) });
            csv.href = `/api/v1/reports/${order.report}.csv?${query(order)}`;
            spreadsheet.href = `${csv.href}${query(order) === "" ? "" : "&"}separator=semicolon&bom=1`;
            actions.hidden = false;
            setSentence(caption, captionOf(order, PERIODS.get(order.report), answer, tools));
            drawTable(result, order, answer, { ...tools, shifts });
            announce(t("reports.rows", { n: answer.rows.length }));
        } catch (error) {
            setText(caption, "");
            result.replaceChildren();
            actions.hidden = true;
            if (error.code === "ambiguous_time") throw new Refusal("reading", t("reports.twice"), error.status);
            throw error;
        }
    }

    return {
        draw(now) {
            if (isForAll) offerPeople(form.field("user"), site);
            if (latest === null && now !== null) {
                form.fill({ month: time.date(now).slice(0, 7) });
                form.fill(valuesOf(new URLSearchParams(location.search), site));
                arrange(form);
                form.requestSubmit();
            }
            latest = now;
        },
    };
}

/** The words for what could not be read. */
export function readingWords(error) {
    return refusalWords(error).filter(Boolean).join(" ");
}

function makeFilter(isForAll, read, show) {
    const choices = (names, word) => names.map((name) => [name, word(name)]);
    return makeForm({
        go: t("reports.show"), className: "inline", isFilter: true,
        fields: [
            { name: "report", label: t("reports.report"), kind: "choice",
                options: choices([...PERIODS.keys()], (name) => t(`reports.report.${name}`)) },
            { name: "period", label: t("reports.period"), kind: "choice",
                options: choices(["day", "month", "range"], (name) => t(`reports.period.${name}`)) },
            { name: "date", label: t("reports.date"), kind: "date" },
            { name: "month", label: t("reports.month"), kind: "month" },
            { name: "from", label: t("reports.from"), kind: "date" },
            { name: "from_time", label: t("reports.from-time"), kind: "time" },
            { name: "to", label: t("reports.to"), kind: "date" },
            { name: "to_time", label: t("reports.to-time"), kind: "time" },
            ...(isForAll ? [{ name: "user", label: t("reports.person"), options: [], most: 200 }] : []),
            { name: "least_min", label: t("reports.least"), kind: "number", least: 1, most: 1440, step: 1 },
            { name: "round_min", label: t("reports.round"), kind: "number", least: 1, most: 1440, step: 1 },
            { name: "rounding", label: t("reports.rounding"), kind: "choice",
                options: choices(["nearest", "ceil", "floor"], (name) => t(`reports.rounding.${name}`)) },
        ],
        check: (values) => flawOf(values, read),
        send: (values) => show(read(values)),
    });
}

/** Shows those fields that the chosen report is asked with. */
function arrange(form) {
    const value = (name) => form.field(name).value;
    const usual = PERIODS.get(value("report"));
    const period = ["day", "month"].includes(usual) ? value("period") : usual;
    const shown = {
        period: ["day", "month"].includes(usual), date: period === "day", month: period === "month",
        from: period === "range" || period === "moments", to: period === "range" || period === "moments",
        from_time: period === "moments", to_time: period === "moments", least_min: value("report") === "contacts",
        round_min: !WITHOUT_LENGTHS.has(value("report")),
        rounding: !WITHOUT_LENGTHS.has(value("report")) && value("round_min") !== "",
    };
    for (const [name, isShown] of Object.entries(shown)) form.field(name).closest(".field").hidden = !isShown;
}

/** What is wrong with what is asked for: the field, and the words for it. */
function flawOf(values, read) {
    const order = read(values);
    const usual = PERIODS.get(order.report);
    if (order.user === null) return ["user", t("reports.nobody", { name: values.user })];
    for (const name of ["least_min", "round_min"]) {
        if (order[name] !== undefined && !/^\d+$/.test(order[name])) return [name, t("reports.whole")];
    }
    if (values.period === "month" && ["day", "month"].includes(usual) && values.month === "") {
        return ["month", t("form.needed", { label: t("reports.month") })];
    }
    // Some browsers have no field for months and let anything be typed.
    if (order.month !== undefined && !/^\d{4}-(0[1-9]|1[0-2])$/.test(order.month)) {
        return ["month", t("reports.month-form")];
    }
    if (usual === "moments") {
        if (values.from === "") return ["from", t("form.needed", { label: t("reports.from") })];
        if (values.from_time === "") return ["from_time", t("form.needed", { label: t("reports.from-time") })];
        if (values.to !== "" && values.to_time === "") {
            return ["to_time", t("form.needed", { label: t("reports.to-time") })];
        }
        if (values.to === "" && values.to_time !== "") return ["to", t("form.needed", { label: t("reports.to") })];
        if (order.to !== undefined && order.to <= order.from) return ["to", t("reports.order")];
    } else if (usual !== "now" && values.period === "range") {
        if (values.from === "") return ["from", t("form.needed", { label: t("reports.from") })];
        if (values.to !== "" && values.to < values.from) return ["to", t("reports.order")];
    }
    const most = MOST_DAYS.get(order.report) ?? MOST_DAYS_ELSE;
    const isTooLong = order.from !== undefined && order.to !== undefined &&
        order.to.slice(0, 10) > addDays(order.from.slice(0, 10), most - 1);
    if (isTooLong || order.month !== undefined && most < 31) {
        return [order.month === undefined ? "to" : "period", t("reports.too-many", { most })];
    }
    return null;
}

/** What the server is asked, from what the fields say; `user` is `null` if nobody has that name. */
function orderOf(values, site) {
    const { report } = values;
    const usual = PERIODS.get(report);
    const order = { report };
    const take = (name, value) => {
        if (value !== "") order[name] = value;
    };
    if (usual === "moments") {
        take("from", `${values.from} ${values.from_time}`.trim());
        take("to", `${values.to} ${values.to_time}`.trim());
    } else if (usual !== "now") {
        if (values.period === "day") take("date", values.date);
        if (values.period === "month") take("month", values.month);
        if (values.period === "range") take("from", values.from);
        if (values.period === "range") take("to", values.to);
    }
    if ((values.user ?? "") !== "") order.user = findPerson(site, values.user);
    if (report === "contacts") take("least_min", values.least_min);
    if (!WITHOUT_LENGTHS.has(report)) take("round_min", values.round_min);
    if (order.round_min !== undefined) take("rounding", values.rounding);
    return order;
}

/** Whether it is about the day that it is at the site, which nobody had to name. */
function isToday({ report, date, month, from }) {
    return ["day", "month"].includes(PERIODS.get(report)) && (date ?? month ?? from) === undefined;
}

/** What the fields say for the query of an address. */
function valuesOf(asked, site) {
    const report = PERIODS.has(asked.get("report")) ? asked.get("report") : "attendance-day";
    const usual = PERIODS.get(report);
    const text = (name) => asked.get(name) ?? "";
    const period = ["day", "month"].includes(usual) ? usual : "day";
    const [from, fromTime = ""] = text("from").split(" ");
    const [to, toTime = ""] = text("to").split(" ");
    return {
        report, from, from_time: fromTime, to, to_time: toTime, date: text("date"),
        ...(text("month") === "" ? {} : { month: text("month") }),
        period: text("date") !== "" ? "day" : text("month") !== "" ? "month" : from !== "" ? "range" : period,
        user: text("user") === "" ? "" : labelOf(site, text("user")), least_min: text("least_min"),
        round_min: text("round_min"), rounding: asked.get("rounding") ?? "nearest",
    };
}

function query(order, isNamed = false) {
    return [...(isNamed ? ["report"] : []), ...PARAMETERS].filter((name) => order[name] !== undefined)
        .map((name) => `${name}=${encodeURIComponent(order[name])}`).join("&");
}
