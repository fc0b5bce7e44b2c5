import Foundation
import Testing

@testable import WebServer

/// The dashboard's files.
struct PageTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../Sources/Shells/WebServer/Page").standardized

    /// Where a file is served: pages without their ending.
    private static func path(_ name: String) -> String {
        name == "index.html" ? "/" : "/" + name.replacing(".html", with: "")
    }

    @Test func `every file of the folder is served, and is what it is`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let paths = names.map(Self.path)
        #expect(PageFile.all.map(\.path).sorted() == paths.sorted())
        for file in PageFile.all {
            let name = try #require(names.first { Self.path($0) == file.path })
            let bytes = try Data(contentsOf: Self.folder.appending(path: name))
            #expect(Array(buffer: file.content) == Array(bytes), "\(name)")
        }
    }

    /// The policy of the server forbids these too; here one learns of it before a browser does.
    @Test func `nothing in it turns text into markup or trusts the browser's clock`() {
        let banned = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(",
            "new Function", "DOMParser", "Date.now", "new Date", "<script>", "style=", "onclick",
            "javascript:", "http://", "https://",
        ]
        for file in PageFile.all where file.path != "/favicon.svg" {
            let text = String(buffer: file.content)
            #expect(!text.isEmpty)
            for word in banned { #expect(!text.contains(word), "\(file.path) has \(word)") }
        }
    }
}
