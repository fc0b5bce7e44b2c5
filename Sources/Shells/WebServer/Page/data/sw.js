// What a browser keeps of the pages: it shows them as they were without the coordinator, and tells what comes while none is
// open. The server puts the address of its files here, so that another release has another worker.
const FILES = "{files}";
const PAGES = "beaconmesh-pages";
/** What is no page of ours, or is nobody's. */
const APART = /^\/(api|calendar|p|signin|worker\.js|manifest\.webmanifest)(\/|$)/;
/** So long the server is waited for before a page is shown as it was, in milliseconds. */
const PATIENCE_MS = 4000;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("/p/") && name !== FILES);
    // Pages of another release name files that are gone with it.
    for (const name of old.length > 0 ? [...old, PAGES] : []) await caches.delete(name);
    await self.clients.claim();
})()));

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const address = new URL(request.url);
    if (request.method !== "GET" || address.origin !== self.location.origin) return;
    if (address.pathname.startsWith(FILES)) event.respondWith(file(request));
    else if (request.mode === "navigate" && !APART.test(address.pathname)) event.respondWith(page(request, address.pathname));
});

/** A file has its content in its address: what was loaded once is right for ever. */
async function file(request) {
    const cache = await caches.open(FILES);
    const known = await cache.match(request);
    if (known !== undefined) return known;
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
}

/** A page as the server has it, or as it was. */
async function page(request, path) {
    const cache = await caches.open(PAGES);
    const known = await cache.match(path);
    const asked = fetch(request).then(async (answer) => {
        if (answer.ok && !answer.redirected) await cache.put(path, answer.clone());
        return answer;
    });
    if (known === undefined) return asked.catch(async (error) => {
        const home = await cache.match("/");
        if (home === undefined) throw error;
        return home;
    });
    // A server that is slow is waited for where there is nothing else.
    const late = new Promise((show) => setTimeout(() => show(known), PATIENCE_MS));
    return Promise.race([asked.catch(() => known), late]);
}

self.addEventListener("push", (event) => {
    let told;
    try {
        told = event.data.json();
    } catch {
        return;
    }
    event.waitUntil(self.registration.showNotification(String(told.title ?? ""), {
        body: String(told.body ?? ""), tag: String(told.tag ?? ""), icon: `${FILES}favicon.svg`,
        data: { path: String(told.path ?? "/") },
    }));
});

self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const path = new URL(event.notification.data?.path ?? "/", self.location.origin);
    if (path.origin !== self.location.origin) return;
    event.waitUntil((async () => {
        const open = await self.clients.matchAll({ type: "window" });
        if (open.length === 0) return self.clients.openWindow(path.href);
        await open[0].navigate(path.href).catch(() => null);
        return open[0].focus();
    })());
});
