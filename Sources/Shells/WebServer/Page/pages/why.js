import { STALE_MS } from "../data/clock.js";
import {
    make, makeLink, makeRow, makeTable, setCell, setData, setName, setSentence, setText, showList,
} from "../kit/element.js";
import { closeButton, openDialog } from "../kit/form.js";
import { age, known, percent, sentence, t } from "../words/words.js";

const COLUMNS = ["who", "heard", "usual", "usual-next", "says"];
/** So many readings have a row; the others are one line together. */
const MOST = 5;

/** The box that explains why somebody was last decided to be where they are. */
export function makeWhy(tools) {
    let box = null;
    return {
        /** Opens it for a person. */
        open(user) {
            const stop = tools.follow([`user/${user}/why`]);
            box = new Box(user, tools);
            box.dialog.addEventListener("close", () => {
                stop();
                box = null;
            });
            tools.drawSoon();
        },
        /** Draws it anew, if it is open. */
        draw(now) {
            box?.draw(now);
        },
    };
}

class Box {
    dialog;
    #user;
    #site;
    #time;
    #session;
    /** Where they are, and at which node they are loudest: one sentence of two parts. */
    #now = make("span");
    #loudest = make("span");
    #because = make("p");
    #wrong = make("section", "why-wrong", make("h3", "", t("why.wrong")));
    #teach = make("p", "detail");
    #links = make("p", "links");
    #rest = make("p");
    #figures = make("p", "detail");
    #table;
    #columns = COLUMNS.map((column) => t(`why.${column}`));

    constructor(user, { site, time, session }) {
        this.#user = user;
        this.#site = site;
        this.#time = time;
        this.#session = session;
        this.#table = makeTable(t("why.table"), this.#columns, "");
        this.#wrong.append(this.#teach, this.#links);
        const details = make("details", "fold", make("summary", "", t("why.details")),
            make("div", "fold-content", this.#table.box, this.#rest, this.#figures));
        this.dialog = openDialog("", make("p", "why-says", this.#now, this.#loudest), this.#because, details,
            this.#wrong, closeButton());
        this.dialog.id = "why";
        for (const [name, element] of [
            ["title", this.dialog.firstElementChild], ["now", this.#now], ["because", this.#because],
            ["rest", this.#rest], ["figures", this.#figures], ["rows", this.#table.rows], ["details", details],
            ["loudest", this.#loudest], ["wrong", this.#wrong],
        ]) element.id = `why-${name}`;
        this.dialog.setAttribute("aria-labelledby", "why-title");
    }

    draw(now) {
        const site = this.#site;
        const why = site.payload("user", this.#user, "why");
        const who = { name: site.nameOf("users", this.#user) };
        setSentence(this.dialog.firstElementChild, sentence("why.title", { who }));
        const presence = site.payload("user", this.#user, "presence");
        const isHeard = presence?.place && !isSilent(presence, now);
        const node = isHeard ? loudestThere(why, presence.place) : null;
        setSentence(this.#now, present(site, who, presence, now));
        setSentence(this.#loudest, !isHeard ? [] : node === null ? ["."] :
            sentence("why.loudest-node", { node: { name: site.nameOf("nodes", node) } }));
        setSentence(this.#because, why === null ? sentence("why.unknown") :
            because(site, who, why, now, this.#time));
        const readings = ranked(why?.readings ?? []);
        this.#table.box.hidden = readings.length === 0;
        this.#table.box.closest("details").hidden = why === null;
        if (why !== null) this.#showHeadings(why);
        showList(this.#table.rows, readings.slice(0, MOST), (reading) => String(reading.index),
            () => makeRow(this.#columns), (row, reading) => showReading(row, reading, why, site));
        const rest = readings.slice(MOST);
        this.#rest.hidden = rest.length === 0;
        const all = rest.reduce((sum, reading) => sum + difference(reading), 0);
        setSentence(this.#rest, sentence("why.rest", { n: rest.length, says: verdict(all, why, site) }));
        setSentence(this.#figures, why === null ? [] : figures(site, why));
        this.#showWays(presence?.place ?? null, node ?? loudestOf(why));
    }

    /** Where somebody who finds it wrong goes on: to the place, and to the node that was loudest. */
    #showWays(there, node) {
        const mayTeach = there !== null && this.#session.may("places.write");
        const mayLook = node !== null && this.#session.may("live");
        this.#wrong.hidden = !mayTeach && !mayLook;
        this.#teach.hidden = !mayTeach;
        setText(this.#teach, t("why.teach"));
        const link = (address, key, value) => ({ address, parts: sentence(key, value) });
        const links = [
            ...(mayTeach ? [link(placeAddress(there), "why.to-place", { place: place(this.#site, there) })] : []),
            ...(mayLook ? [link(`/nodes/${encodeURIComponent(node)}`, "why.to-node", {
                node: { name: this.#site.nameOf("nodes", node) } })] : []),
        ];
        showList(this.#links, links, ({ address }) => address, ({ address }) => {
            const made = makeLink(address);
            made.className = "button";
            return made;
        }, (made, { parts }) => setSentence(made, parts));
    }

    #showHeadings(why) {
        const taught = why.model !== null;
        const heads = this.#table.box.querySelectorAll("th[scope=col]");
        setSentence(heads[2], taught ? sentence("why.usual-at", { place: place(this.#site, why.to) }) :
            sentence("why.compared"));
        setSentence(heads[3], sentence("why.usual-at", { place: place(this.#site, why.runner_up) }));
        heads[3].hidden = !taught;
    }
}

/** Whether nobody has heard them for so long that they may be gone. */
function isSilent(presence, now) {
    const seen = known(presence.seen_ms);
    return seen !== null && now - seen > STALE_MS.presence;
}

/** What the locator says at present, which the machines may not believe yet. */
function present(site, who, presence, now) {
    if (!presence?.place) return sentence("why.nobody-hears", { who });
    const values = { who, place: place(site, presence.place), share: percent(presence.probability) };
    if (isSilent(presence, now)) return sentence("why.now-silent", { ...values, age: age(now - presence.seen_ms) });
    return sentence(presence.confirmed ? "why.now" : "why.now-unconfirmed", values);
}

/** The node at which their tag was loudest when it was decided; `null` if no node had a signal. */
function loudestOf(why) {
    const [first] = (why?.readings ?? []).filter((one) => one.ear === "node" && one.rssi !== null)
        .sort((a, b) => b.rssi - a.rssi);
    return first?.node ?? null;
}

/** The same if it was decided that they are there: readings of another decision say nothing of the place. */
function loudestThere(why, there) {
    const { to = null } = why ?? {};
    return to !== null && to.room === there.room && to.station === there.station ? loudestOf(why) : null;
}

/** Where what is known of a place is changed. */
function placeAddress({ room, station }) {
    return station === null ? `/setup/rooms#${encodeURIComponent(room)}` : `/setup/stations#${encodeURIComponent(station)}`;
}

function because(site, who, why, now, time) {
    const [from, to] = [place(site, why.from), place(site, why.to)];
    const move = why.to === null ? "why.left" : why.from === null ? "why.came" : "why.moved";
    const rule = ["first", "margin", "lost", "silent"].includes(why.rule) ? why.rule : "other";
    const moment = known(why.t_ms) === null ? "" :
        t("why.moment", { time: time.full(why.t_ms), age: age(now - why.t_ms) });
    return sentence(move, { who, from, to, moment, reason: sentence(`why.rule.${rule}`, { from, to }) });
}

/** What decided, the strongest first. */
function ranked(readings) {
    return readings.map((reading, index) => ({ ...reading, index }))
        .sort((a, b) => Math.abs(difference(b)) - Math.abs(difference(a)) || a.index - b.index);
}

/** How much likelier a reading makes the new place than the next likeliest, as a logarithm. */
function difference(reading) {
    return reading.support - reading.against;
}

function showReading(row, reading, why, site) {
    const cells = row.children;
    const own = reading.ear === "beacon";
    setName(cells[0], own ? site.nameOf("beacons", reading.beacon) :
        site.nameOf("nodes", reading.node));
    const taught = why.model !== null;
    setText(cells[1], heard(reading, taught));
    setData(cells[2], { label: t(taught ? "why.usual" : "why.compared") });
    setCell(cells[2], taught ? usual(reading.expected) : compared(reading, why));
    cells[3].hidden = !taught;
    setCell(cells[3], taught ? usual(reading.expected_at_runner_up ?? null) : null);
    const says = difference(reading);
    // One box, or a narrow screen would spread its words over the line.
    if (cells[4].firstElementChild === null) cells[4].append(make("span"));
    setSentence(cells[4].firstElementChild, verdict(says, why, site));
    setData(row, { says: says > 0 ? "new" : says < 0 ? "other" : null });
}

function heard(reading, taught) {
    if (reading.rssi === null) return t("why.silent");
    const seconds = Math.floor(reading.age_s);
    const text = level(reading.rssi);
    if (seconds === 0) return text;
    // Learned spots take each second as it is: it was the silence that counted.
    return t(taught ? "why.silent-since" : "why.heard-ago", { level: text, seconds: `${seconds} s` });
}

function usual(expected) {
    return expected === null ? t("why.not-taught") : level(expected);
}

/** How a level compares with the loudest, which decides where nobody taught. */
function compared(reading, why) {
    if (reading.rssi === null) return null;
    const levels = why.readings.map((one) => one.rssi).filter((rssi) => rssi !== null);
    const loudest = Math.max(...levels);
    if (reading.rssi === loudest) return t("why.loudest");
    const less = Math.round(loudest - reading.rssi);
    return less === 0 ? t("why.as-loud") : t("why.below", { decibels: `${less} dB` });
}

/** For which of the two places something speaks, and how strongly. */
function verdict(difference, why, site) {
    const times = Math.exp(Math.min(Math.abs(difference), 50));
    if (times < 1.05) return sentence("why.nothing");
    const strength = times > 1000 ? t("why.more-than", { number: 1000 }) :
        times < 10 ? Math.round(times * 10) / 10 : Math.floor(times);
    return difference > 0 ? sentence("why.likelier-here", { times: strength }) :
        sentence("why.likelier-at", { times: strength, place: place(site, why.runner_up) });
}

function figures(site, why) {
    const parts = [];
    if (why.to !== null) {
        parts.push(...sentence("why.before", {
            place: place(site, why.to), before: percent(why.prior), then: percent(why.probability),
        }), " ");
    }
    if (why.runner_up !== null) {
        parts.push(...sentence("why.before-next", {
            place: place(site, why.runner_up), before: percent(why.runner_up_prior),
            then: percent(why.runner_up_probability),
        }), " ");
    }
    const model = why.model === null ? t("why.no-model") : t("why.model", { revision: String(why.model) });
    return [...parts, ...sentence("why.spots", { share: percent(why.spot_weight), model })];
}

function place(site, slugs) {
    if (!slugs) return t("why.nowhere");
    return { name: slugs.station === null ? site.nameOf("rooms", slugs.room) :
        site.nameOf("stations", slugs.station) };
}

function level(dBm) {
    return `${dBm.toFixed(1).replace("-", "−")} dBm`;
}
