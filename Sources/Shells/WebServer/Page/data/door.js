/**
 * The way to the door, where people sign in, and back to where they wanted to go. Where to go back stands
 * in the address of the door, which anybody may have written: only a path of this server is gone to.
 */

/** The address of the door for whoever is to come back to this page. */
export function doorFromHere() {
    const here = encodeURIComponent(location.pathname + location.search);
    return `/signin?next=${here}${location.hash}`;
}

/** Where whoever signed in goes on to. What follows # comes along to the door by itself. */
export function wayBack() {
    return ownPath(new URLSearchParams(location.search).get("next") ?? "/") + location.hash;
}

/**
 * The text if it is a path of this server and nothing else, else `/`. Browsers take a backslash for a
 * slash and leave control characters out: with either a path could turn into another server's address.
 */
export function ownPath(text) {
    const isOwn = /^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/.test(text);
    return isOwn && !/^\/signin(?![^?#])/.test(text) ? text : "/";
}
