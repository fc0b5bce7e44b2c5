import { doorFromHere } from "./door.js";
import { setText } from "./dom.js";

/** Who looks at the page: their name, and how to sign out. */
const part = (id) => document.getElementById(id);

/** How far somebody sees the live state, by what the server calls it. */
const SEES = new Map([["own", "own"], ["no names", "nameless"]]);

/**
 * Shows who is signed in; a page that is open to the machine it is on says “Sign in”. Returns how far they
 * see: the whole `site`, their `own`, or `nameless`, nobody at all.
 */
export async function showAccount() {
    const answer = await fetch("/api/v1/session").catch(() => null);
    const session = answer?.ok ? await answer.json() : null;
    const isAccount = session?.name.startsWith("account:") ?? false;
    setText(part("account-name"),
        isAccount ? `${session.name.slice("account:".length)} (${session.role})` : "");
    part("sign-out").hidden = !isAccount;
    part("sign-in").hidden = isAccount;
    document.documentElement.dataset.role = session?.role ?? "";
    return SEES.get(session?.rights?.live) ?? "site";
}

/** Whether somebody signs out here: the stream ends by that, too, and nobody is to come back. */
let isLeaving = false;

/** Goes to the door if the page may not be read any more, to come back from there. */
export async function leaveIfSignedOut() {
    if (isLeaving) return;
    const answer = await fetch("/api/v1/snapshot", { method: "HEAD" }).catch(() => null);
    if (answer?.status === 401) location.replace(doorFromHere());
}

part("sign-out").addEventListener("click", async () => {
    isLeaving = true;
    await fetch("/api/v1/session", { method: "DELETE" }).catch(() => null);
    location.replace("/signin");
});
