import { t } from "../words/words.js";
import { make } from "./element.js";

let library = null;

/** Chart.js, loaded by the first page that draws with it; `null` where the coordinator does not have it. */
function loadLibrary() {
    library ??= import("../library/chart.js").then(() => globalThis.Chart ?? null, () => null);
    return library;
}

/**
 * A curve over time, or bars. A table beside it has to say the same, for who cannot see it and where the library is
 * missing.
 *
 * @param {string} label What it is a picture of.
 * @param {"line" | "bar"} type
 */
export function makeChart(label, type = "line") {
    const canvas = make("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", label);
    const missing = make("p", "detail", t("chart.missing"));
    missing.hidden = true;
    const frame = make("div", "chart", canvas);
    let chart = null;
    return {
        element: make("div", "chart-box", frame, missing),
        /**
         * @param {string[]} labels One for each place from left to right.
         * @param {{ label: string, values: (number | null)[], isFaint?: boolean, isTarget?: boolean,
         *     marks?: Set<number> }[]} series `isFaint`: hollow points that no line joins; `isTarget`: a broken line without
         *     points; `marks`: the places that are records.
         */
        async draw(labels, series) {
            const Chart = await loadLibrary();
            missing.hidden = Chart !== null;
            frame.hidden = Chart === null;
            if (Chart === null) return;
            const { color, borderColor, outlineColor } = getComputedStyle(frame);
            const text = getComputedStyle(document.body).color;
            const datasets = series.map(({ label: name, values, isFaint = false, isTarget = false, marks = new Set() }) => ({
                label: name, data: values, spanGaps: true, showLine: !isFaint, borderWidth: 2,
                ...(isTarget ? { type: "line", borderDash: [6, 4] } : {}),
                borderColor: isTarget ? outlineColor : color,
                backgroundColor: isFaint || isTarget ? "transparent" : color,
                pointRadius: isTarget ? 0 : values.map((_, index) => marks.has(index) ? 7 : 4),
                pointStyle: values.map((_, index) => marks.has(index) ? "rectRot" : "circle"),
                pointBackgroundColor: isFaint ? "transparent" :
                    values.map((_, index) => marks.has(index) ? outlineColor : color),
            }));
            chart?.destroy();
            chart = new Chart(canvas, {
                type,
                data: { labels, datasets },
                options: {
                    animation: false, maintainAspectRatio: false, locale: document.documentElement.lang,
                    scales: {
                        x: { ticks: { color: text, maxRotation: 0, autoSkip: true }, grid: { color: borderColor } },
                        y: { beginAtZero: type === "bar", ticks: { color: text }, grid: { color: borderColor } },
                    },
                    plugins: { legend: { display: datasets.length > 1, labels: { color: text } } },
                },
            });
        },
    };
}
