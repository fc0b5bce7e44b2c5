import Foundation

/// Libraries for pages that Debian keeps, read once when the program starts. Without one, the pages that would use it
/// say so and show tables alone.
enum PageLibrary {
    /// Those that are there.
    static let files = [charts].compactMap(\.self)

    /// Chart.js (MIT) of the package `libjs-chart.js`: draws the curves of the pages of training.
    private static let charts = FileManager.default
        .contents(atPath: "/usr/share/javascript/chart.js/chart.min.js")
        .map { PageFile("library/chart.js", [UInt8]($0)) }
}
