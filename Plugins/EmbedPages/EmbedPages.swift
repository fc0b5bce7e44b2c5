import Foundation
import PackagePlugin

/// Builds the files below `Page` of a target into it, as `PageFolder`. SwiftPM's own way writes each byte as a number,
/// which takes the compiler a minute at every change of a page.
@main
struct EmbedPages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Page")
        let output = context.pluginWorkDirectoryURL.appending(path: "PageFolder.swift")
        let all = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        var files: [URL] = []
        while let file = all?.nextObject() as? URL {
            let isFile = try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
            if isFile == true { files.append(file) }
        }
        return [
            .buildCommand(
                displayName: "Embed the pages",
                executable: try context.tool(named: "embed-pages").url,
                arguments: [folder.path(), output.path()],
                inputFiles: files.sorted { $0.path() < $1.path() }, outputFiles: [output])
        ]
    }
}
