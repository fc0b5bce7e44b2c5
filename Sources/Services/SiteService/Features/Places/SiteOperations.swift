import Operations
import Records
import Registry
import SiteModel
import SiteStore

// The site itself, and how it decides.

extension Operation {
    static let site = [siteShow, policyShow, policyPut]

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
}

extension Parameter {
    /// The same where it may be left out, and so may what is in it.
    fileprivate var leftOut: Parameter {
        guard case .object(let members) = kind else { return optional }
        return Parameter(name, .object(members.map(\.leftOut)), text)
    }
}

extension BooksRefusal {
    static let noSite = BooksRefusal(.unavailable, "the database holds no site")
}
