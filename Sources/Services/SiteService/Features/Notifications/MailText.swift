import Notifications
import WebServer

/// What the site's mails say, in their reader's language.
package enum MailText {
    /// What has happened, with where to look if the site's pages have an address.
    package static func notice(
        _ text: String, path: String, from page: String?, in language: PageLanguage
    ) -> MailClient.Mail {
        mail(
            subject: text, [text, page.map { $0 + path } ?? ""], end: "shell.mail-why", in: language
        )
    }

    /// What proves that whoever types it reads there.
    package static func code(
        _ code: String, of site: String, in language: PageLanguage
    ) -> MailClient.Mail {
        let words = Pages.shared.words(in: language)
        return mail(
            subject: words["shell.mail-code-subject"].replacing("{code}", with: code),
            [
                words["shell.mail-code-text"].replacing("{code}", with: code)
                    .replacing("{site}", with: site)
            ], end: "shell.mail-code-why", in: language)
    }

    /// What shows an owner that mail arrives.
    static func trial(_ site: String, in language: PageLanguage) -> MailClient.Mail {
        let words = Pages.shared.words(in: language)
        return mail(
            subject: words["shell.mail-trial-subject"],
            [words["shell.mail-trial-text"].replacing("{site}", with: site)], end: "", in: language)
    }

    private static func mail(
        subject: String, _ paragraphs: [String], end key: String, in language: PageLanguage
    ) -> MailClient.Mail {
        let end = key.isEmpty ? "" : Pages.shared.words(in: language)[key]
        return MailClient.Mail(
            subject: subject,
            text: (paragraphs + [end]).filter { !$0.isEmpty }.joined(separator: "\r\n\r\n") + "\r\n"
        )
    }
}
