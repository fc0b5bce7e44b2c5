/** The worker that shows pages without the coordinator and takes messages while none is open; only where a browser has one. */

const ADDRESS = "/worker.js";
const PAGES = "beaconmesh-pages";

/** Whether this browser takes messages here: `ready`, `insecure` (the page came in the clear), or `missing`. */
export function messages() {
    if (!globalThis.isSecureContext) return "insecure";
    return "serviceWorker" in navigator && "PushManager" in globalThis ? "ready" : "missing";
}

/** Starts it. */
export async function startWorker() {
    if (!globalThis.isSecureContext || !("serviceWorker" in navigator)) return null;
    try {
        return await navigator.serviceWorker.register(script());
    } catch {
        // As in a private window: pages work without it.
        return null;
    }
}

/** The policy of the server lets nothing else be run as a worker. */
function script() {
    if (globalThis.trustedTypes === undefined) return ADDRESS;
    policy ??= trustedTypes.createPolicy("worker", { createScriptURL: () => ADDRESS });
    return policy.createScriptURL(ADDRESS);
}

let policy;

/** What this browser takes messages by, or `null`. */
export async function subscription() {
    if (messages() !== "ready") return null;
    const worker = await navigator.serviceWorker.ready;
    return worker.pushManager.getSubscription();
}

/**
 * Has this browser take messages. Throws what it refuses with: a `NotAllowedError` if whoever looks does not want it.
 *
 * @param {string} key Of the site, in base64url.
 */
export async function subscribe(key) {
    const worker = await navigator.serviceWorker.ready;
    const bytes = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes });
}

/** Keys of a subscription in base64url. */
export function keyOf(told, name) {
    const bytes = String.fromCharCode(...new Uint8Array(told.getKey(name)));
    return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Whether nothing is kept any more, until another page is opened. */
let isForgotten = false;

/** Forgets the pages as they were, and takes no messages any more: somebody else may come next. */
export async function forgetAll() {
    isForgotten = true;
    const worker = await globalThis.navigator?.serviceWorker?.getRegistration().catch(() => undefined);
    const told = await worker?.pushManager?.getSubscription().catch(() => null);
    await told?.unsubscribe().catch(() => false);
    if (!("caches" in globalThis)) return;
    await caches.delete(PAGES).catch(() => false);
}

/** Where the last state of a page is kept: beside the page itself. */
function place() {
    return `/last${location.pathname}`;
}

/** Keeps the state of this page for who opens it without the coordinator. */
export async function keepState(account, moment, state) {
    if (isForgotten || !globalThis.isSecureContext || !("caches" in globalThis)) return;
    const cache = await caches.open(PAGES).catch(() => null);
    await cache?.put(place(), new Response(JSON.stringify({ account, moment, ...state }))).catch(() => {});
}

/** The last state of this page as the same account saw it: `{ moment, names, topics }`, or `null`. */
export async function lastState(account) {
    if (!globalThis.isSecureContext || !("caches" in globalThis)) return null;
    try {
        const cache = await caches.open(PAGES);
        const kept = await (await cache.match(place()))?.json();
        return kept?.account === account && Number.isFinite(kept.moment) ? kept : null;
    } catch {
        return null;
    }
}
