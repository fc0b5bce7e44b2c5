import Foundation

// Writes a folder's files as texts of a Swift source: `embed-pages FOLDER SOURCE`, run by the build.

let (folder, source) = (CommandLine.arguments[1], CommandLine.arguments[2])
/// What no page has in it, around each of them.
let (begin, end) = ("###\"\"\"\n", "\n\"\"\"###")

var text = """
    enum PageFolder {
        /// Every file of the pages by its path in their folder.
        static let files: [String: String] = [

    """
for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
    var isFolder: ObjCBool = false
    let whole = folder + "/" + path
    _ = FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder)
    if isFolder.boolValue { continue }
    let page = try String(contentsOfFile: whole, encoding: .utf8)
    guard !page.contains("\"\"\"###"), !page.contains("\\###"), !page.contains("\r"),
        !page.contains("\0")
    else {
        FileHandle.standardError.write(
            Data("\(whole): a page has no \"\"\"###, no \\###, no return and no zero in it\n".utf8))
        exit(65)
    }
    text += "\"\(path)\": \(begin)\(page)\(end),\n"
}
text += "]\n}\n"
try text.write(toFile: source, atomically: true, encoding: .utf8)
