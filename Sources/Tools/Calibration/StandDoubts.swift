import Positioning
import Registry
import SiteModel

/// What speaks against a stand that was recorded, in words.
package struct StandDoubts {
    private let site: CalibrationSite

    package init(at site: CalibrationSite) { self.site = site }

    /// A line for each leg that is doubted.
    package func lines(about legs: [SurveyLeg]) -> [String] {
        legs.compactMap { leg in
            SurveyDoubt(about: leg.seconds, at: leg.place, ears: leg.ears, homes: site.home)
                .map { "\(leg.carrier) at \(site.text(leg.place)): \(text($0, at: leg.place))" }
        }
    }

    private func text(_ doubt: SurveyDoubt, at place: Place) -> String {
        switch doubt {
        case .louder(let other, let own):
            "\(text(other)) was loudest, \(level(other)) against \(level(own)) of "
                + "\(site.text(own.ear)) here: stand nearer to that, or does one of them hang "
                + "elsewhere?"
        case .hardlyHeard(let own, let seconds, let all, let other):
            "\(site.text(own)), which hangs here, heard it in \(seconds) of \(all) s only"
                + (other.map {
                    ", \(text($0)) in \($0.seconds) s at \(level($0)): is this the place?"
                } ?? ": is this the place, and does it hang here?")
        case .tooFew(let seconds, let all):
            "it was heard in \(seconds) of \(all) s only: is it switched on, and near?"
        }
    }

    private func text(_ heard: SurveyDoubt.Heard) -> String {
        "\(site.text(heard.ear)) of \(site.text(heard.place))"
    }

    private func level(_ heard: SurveyDoubt.Heard) -> String {
        "\(Int(heard.level.dBm.rounded())) dBm"
    }
}
