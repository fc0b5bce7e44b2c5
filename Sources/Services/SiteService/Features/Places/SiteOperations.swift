import Operations
import Permissions
import Records
import Registry
import SiteModel
import SiteStore

// The site itself, and how it decides.

extension Operation {
    static let site = [siteShow, policyShow, policyPut, settingsShow, settingsChange]

    private static let siteShow = Operation(
        "site-show", "/api/v1/site", .placesRead, about: .each,
        "The site itself, and its revision.", .of(Nothing.self),
        answer: .object(SiteRows.siteAnswer, json: \.json)
    ) { _, _, store in
        guard var (site, revision) = try SiteRows(store).site() else { throw BooksRefusal.noSite }
        site.set("revision", .scalar("\(revision)"))
        return site
    }

    private static let policyShow = Operation(
        "policy-show", "/api/v1/policy", .placesRead, about: .each,
        "How the site decides, with its ETag.", .of(Nothing.self),
        answer: .shown(SiteRows.policyAnswer)
    ) { _, _, store in
        let policy = try SiteRows(store).policy()
        return ShownRow(policy, shown: policy)
    }

    private static let policyPut = Operation(
        "policy-put", .put, "/api/v1/policy", .placesWrite,
        "Replaces how the site decides; what is left out has its default.",
        GivenRow.input(SiteRows.policyAnswer.map(\.leftOut)),
        answer: .shown(SiteRows.policyAnswer), refusals: [.preconditionFailed]
    ) { given, caller, store in
        let policy = try RowEdit.policy(given.row).perform(by: caller, in: store).first?.after
        guard let policy else { throw BooksRefusal(.internal, "there is no policy") }
        return ShownRow(policy, shown: policy)
    }

    private static let settingsShow = Operation(
        "settings-show", "/api/v1/settings", .placesRead, about: .each,
        "What is set of the site, as in its file, with its ETag.", .of(Nothing.self),
        answer: .shown(SiteRows.settingsAnswer)
    ) { _, _, store in
        guard let settings = try SiteRows(store).settings() else { throw BooksRefusal.noSite }
        return ShownRow(settings, shown: settings)
    }

    private static let settingsChange = Operation(
        "settings-change", .patch, "/api/v1/settings", .placesWrite,
        "Changes settings; null takes one away. What is promised to people needs `people.write`, too.",
        GivenRow.input(SiteRows.settingsAnswer.map(\.takenAway)),
        answer: .shown(SiteRows.settingsAnswer), refusals: [.preconditionFailed, .lockedPeriod]
    ) { given, caller, store in
        guard given.row["privacy"] == nil || caller.reachesAll(.peopleWrite) else {
            throw BooksRefusal(
                .forbidden, "privacy: to change it you need \(Right.peopleWrite.rawValue)")
        }
        let settings = try RowEdit.settings(given.row).perform(by: caller, in: store).first?.after
        guard let settings else { throw BooksRefusal(.internal, "there are no settings") }
        return ShownRow(settings, shown: settings)
    }
}

extension Parameter {
    /// The same where it may be left out, and so may what is in it.
    fileprivate var leftOut: Parameter {
        var parameter = optional
        if case .object(let members) = kind { parameter.kind = .object(members.map(\.leftOut)) }
        return parameter
    }

    /// The same where it may be taken away, too.
    fileprivate var takenAway: Parameter {
        var parameter = optional
        parameter.isNullable = true
        if case .object(let members) = kind { parameter.kind = .object(members.map(\.takenAway)) }
        return parameter
    }
}

extension BooksRefusal {
    static let noSite = BooksRefusal(.unavailable, "the database holds no site")
}
