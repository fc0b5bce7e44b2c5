import { make, makeLink, setData, setSentence, setText, showList } from "../kit/element.js";
import { makeButton } from "../kit/form.js";
import { noticeLink, noticeWords } from "../kit/notice-words.js";
import { makePart } from "../kit/part.js";
import { t } from "../words/words.js";
import { makeNoticeSettings } from "./notice-settings.js";

/** What whoever looks is told of, the newest first; who runs the site sees what is about others. Looked at, it is read. */
export default function notices(main, tools) {
    const { api, site, session, time, bell, drawSoon } = tools;
    let all = [];
    let cursor = null;
    let isLoaded = false;
    /** How many were new when it was drawn last. */
    let seen = 0;
    const list = make("ul", "entries");
    list.id = "notice-rows";
    const empty = make("p", "empty-list", t("notice.none"));
    /** Whether those after the last are asked for, or the newest. */
    let goesOn = false;
    const more = makeButton(t("data.more"), () => {
        goesOn = true;
        part.load();
    }, "quiet");
    const part = makePart(async () => {
        const from = goesOn ? cursor : null;
        const page = await api.get(`/api/v1/notices?limit=50${from === null ? "" : `&cursor=${encodeURIComponent(from)}`}`);
        goesOn = false;
        const known = new Set(all.map(({ id }) => id));
        const others = page.notices.filter(({ id }) => !known.has(id));
        // Newer ones stand before what was opened already.
        if (from !== null || !isLoaded) cursor = page.next ?? null;
        all = from === null ? [...others, ...all] : [...all, ...others];
        isLoaded = true;
        drawSoon();
        if (from === null && all.length > 0 && session.account !== "") {
            await api.ask("POST", "/api/v1/notices/read", { body: { through_ms: all[0].due_ms } });
            await bell.load();
        }
    });
    main.append(part.element, list, empty, more, ...(session.account === "" ? [] : [makeNoticeSettings(tools)]));
    part.load();
    return {
        draw(now) {
            // Another has come while it is looked at.
            if (isLoaded && bell.unread > seen) part.load();
            seen = bell.unread;
            empty.hidden = !isLoaded || all.length > 0;
            more.hidden = cursor === null;
            showList(list, all, ({ id }) => String(id), (notice) => {
                const link = noticeLink(notice, session.user);
                const line = make("li", "entry", link === null ? make("span") : makeLink(link, ""), make("span", "unseen"), make("span", "detail"));
                line.dataset.kind = notice.kind;
                return line;
            }, (line, notice) => {
                setData(line, { unread: notice.read ? null : "true" });
                setSentence(line.firstElementChild, noticeWords(notice, site, session.user));
                setText(line.children[1], notice.read ? "" : t("notice.new"));
                setText(line.lastElementChild, time.short(notice.at_ms, now));
            });
        },
    };
}
