/** Small lists that this browser keeps for itself, such as what somebody has put aside. Without storage they are empty. */

/** The list of a name. */
export function kept(name) {
    try {
        const list = JSON.parse(localStorage.getItem(`beaconmesh-${name}`) ?? "[]");
        return Array.isArray(list) ? list : [];
    } catch {
        return [];
    }
}

/** Keeps a list; where the browser keeps nothing it lasts as long as the page. */
export function keep(name, list) {
    try {
        localStorage.setItem(`beaconmesh-${name}`, JSON.stringify(list));
    } catch {
        // What was put aside comes back with the next page: no harm.
    }
}
