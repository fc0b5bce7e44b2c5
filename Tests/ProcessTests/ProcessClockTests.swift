import Foundation
import Glibc
import Testing

@testable import SiteModel

/// A wall clock that differs from the kernel's: what a clock that was set looks like to whoever
/// waits until a moment of it.
@Suite(.ownThread) struct ProcessClockTests {
    /// A library that shows the wall clock an hour later than the kernel does. The kernel ends a wait
    /// until a moment of that clock an hour late.
    private static let library = """
        #include <sys/syscall.h>
        #include <time.h>
        #include <unistd.h>

        int clock_gettime(clockid_t clock, struct timespec *time) {
            long result = syscall(SYS_clock_gettime, clock, time);
            if (clock == CLOCK_REALTIME) time->tv_sec += 3600;
            return (int)result;
        }

        """

    /// The compiler of C that comes with Swift's.
    private static let compiler: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init)
        let beside = folders.map { URL(fileURLWithPath: $0 + "/swift").resolvingSymlinksInPath() }
            .map { $0.deletingLastPathComponent().path }
        return (folders + beside).map { $0 + "/clang" }.first { access($0, X_OK) == 0 }
    }()

    @Test(.enabled(if: compiler != nil, "no clang beside Swift's compiler"))
    func `a coordinator ends at once though the wall clock was set`() throws {
        let site = try RunningSite()
        defer { site.stop() }
        let source = try site.write(Self.library, to: "clock.c")
        let library = site.file("clock.so")
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: try #require(Self.compiler))
        compiler.arguments = ["-shared", "-fPIC", "-o", library, source]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)

        try site.startCoordinator(environment: ["LD_PRELOAD": library])
        let coordinator = try #require(site.coordinator)
        #expect(try site.terminate(coordinator) <= .seconds(5))
        #expect(coordinator.status == 0, "\(coordinator.errors)")
    }
}
