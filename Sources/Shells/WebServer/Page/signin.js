import { setText } from "./dom.js";

/**
 * The door of the page, in three shapes: sign in with name and password; accept an invitation, whose
 * secret is the fragment of the address and so is never sent until it is used; claim a site that nobody
 * owns, with the code of the coordinator's log. People may have been invited to such a site already, so
 * that the third shape leads to the first and back.
 */
const part = (id) => document.getElementById(id);
const invitation = /^#invite=([\w-]{43})$/.exec(location.hash)?.[1] ?? null;
if (invitation) history.replaceState(null, "", location.pathname);

let shape = invitation ? "invitation" : "session";
let isUnowned = false;

function show() {
    const isNew = shape !== "session";
    part("code-field").hidden = shape !== "claim";
    part("name-field").hidden = shape === "invitation";
    part("hint").hidden = !isNew;
    part("help").hidden = isNew;
    part("password").autocomplete = isNew ? "new-password" : "current-password";
    const words = {
        session: ["Sign in", "", "Sign in"],
        invitation: ["Welcome", "Choose a password for your account.", "Set password and sign in"],
        claim: ["Claim this site", "Nobody owns it yet. Whoever has its log becomes the owner.",
            "Make me the owner"],
    }[shape];
    setText(part("title"), words[0]);
    setText(part("lead"), words[1]);
    part("lead").hidden = words[1] === "";
    part("other").hidden = !isUnowned;
    setText(part("other"), shape === "claim" ? "I have an account" : "Claim this site");
    setText(part("go"), words[2]);
    part("go").disabled = false;
    part(shape === "claim" ? "code" : shape === "session" ? "name" : "password").focus();
}

async function send() {
    const name = part("name").value.trim().toLowerCase();
    const password = part("password").value;
    const [path, body] = {
        session: ["/api/v1/session", { name, password }],
        invitation: ["/api/v1/session/invitation", { invitation, password }],
        claim: ["/api/v1/claim", { code: part("code").value.trim(), name, password }],
    }[shape];
    part("go").disabled = true;
    tell("");
    try {
        const answer = await fetch(path, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify(body),
        });
        if (answer.ok) {
            location.replace("/");
            return;
        }
        const problem = await answer.json().catch(() => ({}));
        tell(problem.detail ?? `The server answered ${answer.status}.`);
    } catch {
        tell("The coordinator cannot be reached.");
    }
    part("go").disabled = false;
}

function tell(text) {
    setText(part("fault"), text);
    part("fault").hidden = text === "";
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

if (shape === "session") {
    const claim = await fetch("/api/v1/claim").then((answer) => answer.json()).catch(() => null);
    isUnowned = claim?.open === true;
    if (isUnowned) shape = "claim";
}
show();
