import { wayBack } from "./door.js";
import { setSentence, setText } from "./dom.js";

/**
 * The door of the page, in these shapes: `session`, sign in with name and password; `invitation`, accept
 * one, whose secret is the fragment of the address and so never part of any; `claim` a site that nobody
 * owns, with the code of the coordinator's log. People may have been invited to such a site already, so
 * that this shape leads to the first and back. A link that opens nothing any more is `used` or `old`.
 */
const part = (id) => document.getElementById(id);
const invitation = /^#invite=([\w-]{43})$/.exec(location.hash)?.[1] ?? null;
if (invitation) history.replaceState(null, "", location.pathname + location.search);

/** The shortest new password, in characters. */
const LEAST = 10;
const WORDS = {
    session: { title: "Sign in", go: "Sign in" },
    invitation: { title: "Welcome", go: "Set password and sign in" },
    claim: {
        title: "Claim this site", go: "Make me the owner",
        lead: ["Nobody owns it yet. Whoever has its log becomes the owner."],
    },
    used: {
        title: "This link is used up",
        lead: ["It let somebody in once, or a newer link has taken its place. If you chose a password " +
            "with it, sign in. If not, ask whoever sent it for another one."],
    },
    old: {
        title: "This link is too old",
        lead: ["It was good for a week. Ask whoever sent it for another one. If you have a password " +
            "already, sign in."],
    },
};

let shape = invitation ? "invitation" : "session";
let isUnowned = false;
/** Who is invited, and where: `{ name, role, site }`, or `null` if that is not known. */
let invitee = null;

function show() {
    const { title, go, lead } = WORDS[shape];
    const isForm = go !== undefined;
    const isNew = isForm && shape !== "session";
    part("form").hidden = !isForm;
    part("way-on").hidden = isForm;
    part("code-field").hidden = shape !== "claim";
    part("name-hint").hidden = shape !== "claim";
    describe("name", shape === "claim" ? "name-hint" : null);
    showName();
    showPassword(isNew);
    part("help").hidden = shape !== "session";
    setText(part("title"), title);
    const words = shape === "invitation" ? welcome() : lead ?? [];
    setSentence(part("lead"), words);
    part("lead").hidden = words.length === 0;
    part("other").hidden = !isUnowned;
    setText(part("other"), shape === "claim" ? "I have an account" : "Claim this site");
    if (!isForm) return;
    setText(part("go"), go);
    part("go").disabled = false;
    part(shape === "claim" ? "code" : shape === "session" ? "name" : "password").focus();
}

/** Whoever is invited is told their name, and so is what keeps their passwords. */
function showName() {
    const isGiven = shape === "invitation";
    part("name-field").hidden = isGiven && invitee === null;
    part("name").readOnly = isGiven;
    if (isGiven) part("name").value = invitee?.name ?? "";
}

function showPassword(isNew) {
    part("hint").hidden = !isNew;
    describe("password", isNew ? "hint" : null);
    part("password").autocomplete = isNew ? "new-password" : "current-password";
    if (isNew) {
        part("password").minLength = LEAST;
    } else {
        part("password").removeAttribute("minlength");
    }
}

function describe(field, hint) {
    part(field).setAttribute("aria-describedby", hint === null ? "fault" : `${hint} fault`);
}

function welcome() {
    if (invitee === null) return ["Choose a password for your account."];
    return ["You are ", { name: invitee.name }, `, ${invitee.role}, at `,
        { name: invitee.site || "this site" }, ". Choose a password."];
}

/** What has to be mended before anything is sent: the field and the words; `null` if nothing has. */
function flaw() {
    const [name, password] = [part("name").value.trim(), part("password").value];
    if (shape === "claim" && part("code").value.trim() === "") {
        return ["code", "Type the code from the coordinator’s log."];
    }
    if (shape !== "invitation" && name === "") return ["name", "Type your name."];
    if (shape === "claim" && !/^[a-z0-9._-]+$/i.test(name)) {
        return ["name", "The name may have a to z, 0 to 9, dot, _ and -, and no spaces."];
    }
    if (password === "") return ["password", "Type the password."];
    if (shape !== "session" && [...password].length < LEAST) {
        return ["password", `The password needs at least ${LEAST} characters.`];
    }
    return null;
}

function post(path, body) {
    return fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
    });
}

async function send() {
    tell("");
    const found = flaw();
    if (found !== null) {
        tell(found[1], found[0]);
        return;
    }
    const name = part("name").value.trim().toLowerCase();
    const password = part("password").value;
    const [path, body] = {
        session: ["/api/v1/session", { name, password }],
        invitation: ["/api/v1/session/invitation", { invitation, password }],
        claim: ["/api/v1/claim", { code: part("code").value.trim(), name, password }],
    }[shape];
    part("go").disabled = true;
    try {
        const answer = await post(path, body);
        if (answer.ok) {
            location.replace(wayBack());
            return;
        }
        if (!isSpent(answer)) await tellProblem(answer);
    } catch {
        tell("The coordinator cannot be reached.");
    }
    part("go").disabled = false;
}

/** Whether an invitation opens nothing any more, which is then shown. */
function isSpent(answer) {
    const spent = { 404: "used", 410: "old" }[answer.status];
    if (shape !== "invitation" || spent === undefined) return false;
    shape = spent;
    show();
    return true;
}

async function tellProblem(answer) {
    const problem = await answer.json().catch(() => ({}));
    tell(problem.detail ?? `The server answered ${answer.status}.`);
}

/** Says what is wrong, with one of the fields or with nothing of theirs; nothing if it is empty. */
function tell(text, field = null) {
    setText(part("fault"), text);
    part("fault").hidden = text === "";
    for (const id of ["code", "name", "password"]) {
        part(id).setAttribute("aria-invalid", String(id === field));
    }
    if (field !== null) part(field).focus();
}

/** Asks whose account the invitation is. */
async function look() {
    const answer = await post("/api/v1/session/invitee", { invitation }).catch(() => null);
    if (answer?.ok) {
        invitee = await answer.json().catch(() => null);
    } else if (answer !== null && !isSpent(answer)) {
        await tellProblem(answer);
    }
}

part("form").addEventListener("submit", (event) => {
    event.preventDefault();
    send();
});

part("other").addEventListener("click", () => {
    shape = shape === "claim" ? "session" : "claim";
    tell("");
    show();
});

if (invitation) {
    await look();
} else {
    const claim = await fetch("/api/v1/claim").then((answer) => answer.json()).catch(() => null);
    isUnowned = claim?.open === true;
    if (isUnowned) shape = "claim";
}
show();
