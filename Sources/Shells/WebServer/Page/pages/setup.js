import { make, makeLink, showList } from "../kit/element.js";
import { makePart } from "../kit/part.js";
import { number, t } from "../words/words.js";

/** What a site is made of, in the order in which it is set up. */
const LISTS = ["rooms", "stations", "nodes", "users", "beacons", "exercises"];

/** Where an owner sets up the site: each list, and how many there are. */
export default function setup(main, { api, drawSoon }) {
    const list = make("ul", "entries");
    let counts = null;
    const part = makePart(async () => {
        counts = new Map(await Promise.all(LISTS.map(async (name) =>
            [name, (await api.all(`/api/v1/${name}?fields=id&limit=500`, name)).length])));
        drawSoon();
    });
    main.append(make("p", "detail", t("setup.lead")), part.element, list);
    part.load();
    return {
        draw() {
            if (counts === null) return;
            showList(list, LISTS, (name) => name, (name) => {
                const link = makeLink(`/setup/${name}`, make("b", "", t(`setup.list.${name}`)),
                    make("span", "detail", counts.get(name) === 0 ? t(`setup.next.${name}`) : number(counts.get(name))));
                link.className = "setup-line";
                return make("li", "", link);
            }, () => {});
        },
    };
}
