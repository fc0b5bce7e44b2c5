import Demo
import Registry
import SiteEngine
import SiteModel
import SiteStore
import Wire

/// The demonstration gym in a database of its own.
struct BenchSite {
    /// Its places and people.
    let demo: DemoSite
    /// The database.
    let database: String
    let plan: Plan
    let names: Names
    let saved: Saved

    /// Imports a gym with so many people into `folder`, so that it is in force from `moment` on.
    init(people: Int, seed: UInt64, in folder: String, from moment: Timestamp) throws {
        demo = DemoSite(people: people, seed: seed, hasCapture: false)
        database = folder + "/site.sqlite"
        let store = try Store(path: database)
        defer { store.close() }
        try SiteImport(store).importDocument(demo.document, at: moment - .seconds(60))
        guard let loaded = try store.load() else {
            throw BenchFailure.failed("\(database) holds no site after an import")
        }
        (plan, names, saved) = loaded
    }

    /// What its topics are called.
    var topics: SiteTopics { SiteTopics(site: names.site) }
}
