import SiteEngine
import SiteModel
import Wire

// What other sites on the same broker tell of people who are users here, too.
extension Pipeline {
    /// Another site tells the newest session of somebody; of people who are unknown here it means
    /// nothing.
    mutating func hear(
        _ topic: AttendanceElsewhere, _ payload: Span<UInt8>, at now: Timestamp
    ) -> [Effect] {
        guard let user = names.users.id(topic.user), !payload.isEmpty else { return [] }
        do throws(PayloadError) {
            let told = try AttendancePayload(json: payload)
            guard let from = told.checkInMs, told.checkOutMs.map({ from <= $0 }) ?? true else {
                return []
            }
            let session = Elsewhere(
                site: topic.number, from: Timestamp(milliseconds: from),
                to: told.checkOutMs.map { Timestamp(milliseconds: $0) })
            // What ended longer ago than evidence may change anything is of no use.
            guard (session.to ?? now) > now - Saved.horizon else { return [] }
            return handle(.elsewhere(session, user: user), at: now)
        } catch {
            return refuse(error.reason)
        }
    }
}

/// A topic on which another site tells the newest session of somebody.
struct AttendanceElsewhere {
    let site: String
    let user: String

    /// The site and the user of a topic, or `nil` if it is not of another site, or of something else.
    init?(topic: String, own: String) {
        let levels = topic.utf8.split(
            separator: UInt8(ascii: "/"), maxSplits: 6, omittingEmptySubsequences: false)
        guard levels.count == 6, levels[0].elementsEqual("mesh".utf8),
            levels[1].elementsEqual("v1".utf8), levels[3].elementsEqual("user".utf8),
            levels[5].elementsEqual("attendance".utf8)
        else { return nil }
        let (site, user) = (Substring(levels[2]), Substring(levels[4]))
        guard site != own, Names.isSlug(site), Names.isSlug(user) else { return nil }
        self.site = String(site)
        self.user = String(user)
    }

    /// The same number for the site's slug in every run: FNV-1a, 32 bits.
    var number: Int {
        Int(site.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 })
    }
}
