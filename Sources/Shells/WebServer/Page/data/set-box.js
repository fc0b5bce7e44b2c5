/** Where pages of this browser tell each other whose rows are gone. */
const NEWS = "beaconmesh-sets";
/** The database of the browser, and its only table: one row a set. */
const DATABASE = "beaconmesh";
const TABLE = "sets";

/**
 * Sets that this machine keeps until the server has them, or somebody has taken a refused one away: through a reload, a
 * day without a network, and an empty battery.
 *
 * A row is `{ id, user, workout, set, isTried, isChanged, isDeleted, fault }`: whose it is, the row of the workout, the
 * set as it is sent; whether it was sent before, and changed or deleted since; why it was refused (`{ code, detail }`)
 * or `null`.
 *
 * Where a browser keeps nothing, as some do in a private window, they live as long as the page.
 */
export class SetBox {
    #database;
    #isFailing = false;
    #user;
    #rows = new Map();
    /** What is not on the disk yet, by id: a row, or `null` for one to remove. */
    #unsaved = new Map();
    #news = new BroadcastChannel(NEWS);

    /** The rows of one person. Whoever else uses this browser neither sees nor sends them. */
    static async open(user) {
        const box = new SetBox();
        box.#user = user;
        box.#news.addEventListener("message", ({ data }) => {
            if (data !== user) return;
            box.#rows.clear();
            box.#unsaved.clear();
        });
        box.#database = await openDatabase().catch(() => null);
        if (box.#database !== null) {
            const rows = await box.#run("readonly", (table) => table.getAll()).catch(() => []);
            for (const row of rows.filter((one) => one.user === user)) box.#rows.set(row.id, row);
        }
        return box;
    }

    /** Whether the rows outlive the page. */
    get isLasting() {
        return this.#database !== null && !this.#isFailing;
    }

    /** The rows in the order in which the sets were done. */
    rows() {
        return [...this.#rows.values()].sort((a, b) => a.set.at_ms - b.set.at_ms);
    }

    /** The row of a set, or `undefined`. */
    row(id) {
        return this.#rows.get(id);
    }

    /** Keeps a row, in the place of an earlier one of the same set; returns it as it is kept. */
    async put(row) {
        const whole = { ...row, user: this.#user };
        this.#rows.set(row.id, whole);
        await this.#write(row.id, whole);
        return whole;
    }

    /** Takes all rows away, also where other pages hold them. */
    async clear() {
        this.#news.postMessage(this.#user);
        for (const id of [...this.#rows.keys()]) await this.remove(id);
    }

    async remove(id) {
        this.#rows.delete(id);
        await this.#write(id, null);
    }

    /** Writes a row, and whatever could not be written before, as with a full disk. */
    async #write(id, row) {
        this.#unsaved.set(id, row);
        if (this.#database === null) return;
        const news = [...this.#unsaved];
        try {
            await this.#run("readwrite", (table) => {
                for (const [key, value] of news) value === null ? table.delete(key) : table.put(value);
            });
            for (const [key, value] of news) if (this.#unsaved.get(key) === value) this.#unsaved.delete(key);
            this.#isFailing = false;
        } catch {
            this.#isFailing = true;
        }
    }

    /** Does one thing in a transaction of its own; returns once that is on the disk. */
    #run(mode, act) {
        return new Promise((resolve, reject) => {
            const transaction = this.#database.transaction(TABLE, mode);
            const request = act(transaction.objectStore(TABLE));
            transaction.oncomplete = () => resolve(request?.result);
            transaction.onerror = transaction.onabort = () => reject(transaction.error);
        });
    }
}

function openDatabase() {
    return new Promise((resolve, reject) => {
        const request = indexedDB.open(DATABASE, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "id" });
        request.onsuccess = () => resolve(request.result);
        request.onerror = request.onblocked = () => reject(request.error);
    });
}
