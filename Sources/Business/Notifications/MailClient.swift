import Foundation
import SiteModel

/// Gives mail to the site's server, once, and says what came of it.
package struct MailClient: Sendable {
    /// A short text to one reader.
    package struct Mail: Equatable, Sendable {
        package var subject: String
        package var text: String

        package init(subject: String, text: String) {
            self.subject = subject
            self.text = text
        }
    }

    private let server: MailServer

    package init(_ server: MailServer) { self.server = server }

    /// Blocks for at most `WebhookClient.patience`, on a thread of its own. What is answered is SMTP's last reply:
    /// 250 it was taken, 400 to 499 it may be later, 500 to 599 the reader or the mail is refused. What goes wrong before a
    /// reader is named, such as no encryption or a wrong password, is no fault of theirs: it is not reached.
    package func carry(
        _ mail: Mail, from name: String, to reader: MailAddress, at now: Timestamp
    ) -> DeliveryOutcome {
        Curl.run(
            sending: message(mail, from: name, to: reader, at: now), reading: Self.outcome
        ) { file in
            """
            url = "\(server.url)/\(server.sender.domain)"
            mail-from = "\(server.sender.text)"
            mail-rcpt = "\(reader.text)"
            upload-file = "\(file)"
            \(server.isLocal ? "" : "ssl-reqd")
            \(server.username.map { "user = \(Curl.quoted("\($0):\(server.password ?? "")"))" } ?? "")
            noproxy = "*"
            max-time = \(WebhookClient.patience)
            output = "/dev/null"
            write-out = "%{http_code} %{exitcode} %{errormsg}"
            globoff
            silent

            """
        }
    }

    /// What `<reply> <curl's exit code> <message>` means. Without a fault of curl's the last reply is that to the mail;
    /// 55 and 8 are refusals of sender, reader or mail, but those that want encryption or a password (530 to 538). Else the
    /// last reply may be one that was no refusal at all.
    package static func outcome(of line: String) -> DeliveryOutcome {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, let reply = Int(words[0]), let exit = Int(words[1]) else {
            return .unreachable("no answer")
        }
        let isRefused = (400...599).contains(reply) && !(530...538).contains(reply)
        let isSaid = exit == 0 || [8, 55].contains(exit) && isRefused
        guard isSaid, (200...599).contains(reply) else {
            let reason = words.dropFirst(2).first.map(String.init) ?? "no answer"
            return .unreachable(reply >= 400 ? "\(reply): \(reason)" : reason)
        }
        return .answered(reply)
    }

    /// A message (RFC 5322) whose text is UTF-8. Programs do not answer to it (RFC 3834).
    package func message(
        _ mail: Mail, from name: String, to reader: MailAddress, at now: Timestamp
    ) -> [UInt8] {
        let head = [
            "From: \(Self.word(name))\r\n <\(server.sender.text)>",
            "To: <\(reader.text)>",
            "Subject: \(Self.word(mail.subject))",
            "Date: \(Self.date(now))",
            "Message-ID: <\(UUID().uuidString.lowercased())@\(server.sender.domain)>",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: base64",
        ]
        let text = Data(mail.text.utf8).base64EncodedString(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + text + "\r\n").utf8)
    }

    /// A text in a head: encoded words of at most 64 characters each, of whole characters (RFC 2047).
    static func word(_ text: String) -> String {
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > 39 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(
            separator: "\r\n ")
    }

    /// `Mon, 30 Nov 2026 07:14:31 +0000` (RFC 5322 3.3).
    static func date(_ moment: Timestamp) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss +0000"
        return format.string(from: Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000))
    }
}
