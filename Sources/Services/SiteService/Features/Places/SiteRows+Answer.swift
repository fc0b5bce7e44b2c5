import Operations
import Registry
import SiteModel
import WebServer

// What is answered of rows of a site, and of its policy, as `SiteFileWriter` writes them.

extension SiteCollection {
    /// What is answered to whoever asked for some members, or may write rows and not read them.
    package var partly: [RouteText.Field] {
        members.map { $0.name == "id" ? $0 : $0.optional }
    }

    /// What is sent to add or replace a row.
    package var sent: [RouteText.Field] {
        members.map { member in
            var field = member
            field.isNeeded = required.contains(member.name)
            // As if it were not there.
            field.isNullable = !field.isNeeded
            return field
        }
    }

    /// What is sent to change a row.
    package var changed: [RouteText.Field] {
        members.filter { $0.name != "id" }.map { member in
            var field = member.optional
            field.isNullable = true
            return field
        }
    }
}

extension SiteRows {
    package static let siteAnswer: [RouteText.Field] = [
        .always("id", .slug), .always("name", .anyText), .always("time_zone", .anyText),
        .always("demo", .flag), .always("day_start", .anyText, "Such as 04:00."),
        .always("revision", .count),
    ]

    package static let policyAnswer = Policy.settings.map(\.parameter)
    package static let settingsAnswer = SiteDocument.settings.map(\.parameter)
}
