import SiteEngine
import SiteModel

/// What a table is to the site, declared once: retention, trimming, erasure, a person's export, what is
/// loaded at a start and docs/reference/tables.md follow from it.
package struct TableSpec: Sendable {
    /// How long a row is kept.
    package enum Keeping: Sendable {
        /// For ever, or until something else takes it away: in words.
        case forever(String)
        /// One row, or one for each of something, which the next replaces: in words.
        case present(String)
        /// So long from the moment in a column, as the machines hold it, by the site's own clock: each
        /// stored `SiteRow` drops what is older.
        case machines(Timestamp.Span, by: String, String? = nil)
        /// So many days from the moment in a column.
        case days(Int64, by: String)
        /// As attendance: two years from the moment in a column, or as long as the site says, and while the
        /// condition does not hold.
        case attendance(by: String, if: String? = nil, String? = nil)
        /// While its person is not erased: of them what the machines still wrote before they knew goes.
        case person(String)

        /// In words.
        package var words: String {
            func from(_ note: String?) -> String { note.map { ", " + $0 } ?? "" }
            switch self {
            case .forever(let words), .present(let words): return words
            case .person(let words): return words + ", until the person is erased"
            case .machines(let life, _, let note):
                let hours = life.milliseconds / 3_600_000
                return (hours > 24 ? "\(hours / 24) days" : "\(hours) h") + from(note)
            case .days(let days, _): return "\(days) days"
            case .attendance(_, _, let note):
                return "\(TableSpec.attendanceDays) days, or as the site says" + from(note)
            }
        }
    }

    /// Attendance is kept for so many days: two years.
    package static let attendanceDays: Int64 = 730

    /// What an erasure does with a person's rows.
    package enum Erasure: String, Sendable {
        /// They go.
        case deleted
        /// They stay under the pseudonym.
        case kept
        /// They stay, but go if the site deletes attendance, too.
        case asAttendance
        /// They go or stay with the row that they belong to.
        case withParent
    }

    /// Whose a row is, and what an erasure does with it.
    package enum Person: Sendable {
        /// Nobody's.
        case nobody
        /// Of the user in the column `user`.
        case user(Erasure)
        /// Of whose row in another table it belongs to, by a column.
        case through(String, of: String, Erasure)
        /// Whose a condition says, in SQL with `?` for their number.
        case matching(String, Erasure)
    }

    /// What an erasure does with texts in which somebody may be named.
    package enum Texts: Sendable {
        /// There are none but our own words, or they are renamed by row.
        case none
        /// Names are replaced by the pseudonym.
        case blanked
        /// The same in these columns only: the others are our own words and ids.
        case blankedIn(Set<String>)
        /// The row goes.
        case gone
    }

    package let name: String
    /// How many rows a day a site of 50 people writes, in words.
    package let rowsADay: String
    package let kept: Keeping
    package let person: Person
    package let texts: Texts
    /// Whether an export of a person has its rows, as they are.
    package let isExported: Bool
    /// Whether its row numbers are of the site's counter, `SiteRow.next`.
    package let isCounted: Bool
    /// The query for those of its rows that the machines start from, or `nil`: they start without it, or it is
    /// one value that is read by itself.
    package let loaded: String?

    init(
        _ name: String, _ rowsADay: String, _ kept: Keeping, of person: Person = .nobody,
        texts: Texts = .blanked, isExported: Bool = true, isCounted: Bool = false,
        loaded: String? = nil
    ) {
        self.name = name
        self.rowsADay = rowsADay
        self.kept = kept
        self.person = person
        self.texts = texts
        self.isExported = isExported
        self.isCounted = isCounted
        self.loaded = loaded
    }

    /// Whose rows of it are a person's, as SQL with `?` for their number; `nil`: nobody's.
    package var isOfPerson: String? {
        switch person {
        case .nobody: nil
        case .user: "user = ?"
        case .through(let column, let parent, _):
            "EXISTS (SELECT 1 FROM \(parent) AS owned WHERE owned.id = \(name).\(column) AND owned.user = ?)"
        case .matching(let condition, _): condition
        }
    }

    /// What an erasure does with them.
    package var erasure: Erasure? {
        switch person {
        case .nobody: nil
        case .user(let erasure), .through(_, _, let erasure), .matching(_, let erasure): erasure
        }
    }

    /// Columns of our own words, of digits, and of slugs that are no person's: nobody is named there.
    package static let words: Set = [
        "side", "salt", "source", "change", "state", "level", "kind", "table_name", "codes",
        "client_key", "sent_digest", "exercise",
    ]
}
