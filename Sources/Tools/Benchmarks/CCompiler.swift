import Foundation

/// The machine's C compiler, for programs that exist only to be measured.
enum CCompiler {
    /// Compiles with `-O2` and returns the program's path. Throws `.skipped` where there is no
    /// compiler, and `.failed` with what it says about a source it refuses.
    static func compile(
        _ source: String, named name: String, into directory: String, searchPath: String,
        libraries: [String] = []
    ) throws -> String {
        guard let compiler = Tool.find("cc", in: searchPath) else {
            throw BenchFailure.skipped("no C compiler: there is no cc (apt-get install gcc)")
        }
        let file = "\(directory)/\(name).c"
        let program = "\(directory)/\(name)"
        try Data(source.utf8).write(to: URL(fileURLWithPath: file))
        let words = ["-std=gnu11", "-O2", "-o", program, file] + libraries.map { "-l\($0)" }
        let result = try Tool.run(compiler, words)
        guard result.status == 0 else {
            throw BenchFailure.failed("\(compiler) refuses \(name).c:\n\(result.output)")
        }
        return program
    }
}
