import Accounts
import Foundation
import Glibc
import Logging
import Platform
import Notifications
import SiteEngine
import SiteService
import SiteModel
import SitePipeline
import SiteStore
import WebServer

/// `beacon-coordinator`: runs one site until a signal stops it.
package struct CoordinatorCommand {
    private static let usage = """
        usage: beacon-coordinator --config FILE [--record FILE] [--check]
               beacon-coordinator --help | --version

        Decides where everybody is, keeps attendance and workouts, serves the dashboard.

          --config FILE  the YAML file that says where broker, database and listener are
          --record FILE  record every input to this file, as `beaconmesh replay` reads it
          --check        only check the configuration and the files it names, as a start would

        Leaves with 0 after SIGTERM or SIGINT, 64 for wrong arguments, 69 when the dashboard's port
        is taken, 70 when the database refuses what is decided, 74 when it is damaged, 75 when another
        attempt may succeed, 78 for a wrong configuration, 1 otherwise.
        """

    /// What the lock of the database says.
    private static let name = "beacon-coordinator"

    private let config: String
    private let record: String?
    private let check: Bool

    /// Runs until told to stop; the process's exit code (sysexits.h).
    package static func run(_ arguments: [String]) async -> Int32 {
        let command: CoordinatorCommand
        switch ServiceArguments(arguments, options: ["record"]) {
        case .run(let config, let values)?:
            command = CoordinatorCommand(config: config, record: values["record"], check: false)
        case .check(let config)?:
            command = CoordinatorCommand(config: config, record: nil, check: true)
        case .help?:
            print(usage)
            return EX_OK
        case .version?:
            print(CoreVersion.text)
            return EX_OK
        case nil:
            StandardError.write(usage + "\n")
            return EX_USAGE
        }
        do {
            try await command.run()
            return EX_OK
        } catch let error as Exit {
            StandardError.write(error.text + "\n")
            return error.code
        } catch {
            StandardError.write("\(error)\n")
            return EXIT_FAILURE
        }
    }

    private func run() async throws {
        StopSignal.install()
        LogLine.install()
        var settings: CoordinatorConfiguration
        do {
            settings = try CoordinatorConfiguration(
                reading: config, depth: check ? .start : .secrets)
        } catch {
            throw Exit(code: 78, text: "\(error)")
        }
        if let record { settings.record = record }
        if check {
            print("\(config): ok")
            let file = settings.http.tokenFile
            if TokenFile.isMissing(file) {
                print("\(file): not there yet, will be made at the start")
            }
            return
        }
        var logger = Logger(label: "coordinator")
        logger.logLevel = settings.log
        try await waitForTime(logger)
        let (lock, store) = try open(settings, logger)
        defer { withExtendedLifetime(lock) {} }
        do {
            try await serve(settings, store: store, logger: logger)
        } catch {
            // A process that blocks the database would block us, too; and the log may be all that
            // is left of a damaged one.
            let code = (error as? Exit)?.code
            if code != Exit.unfinished, code != Exit.damaged { store.close() }
            throw error
        }
        store.close()
    }

    /// A machine without a clock of its own starts in the past. Wages are paid on these times, so
    /// nothing starts before the network has told it better.
    private func waitForTime(_ logger: Logger) async throws {
        var isSaid = false
        while AnchoredClock().now < AnchoredClock.earliest, !StopSignal.isRaised {
            if !isSaid { logger.warning("the clock is before 2026: waiting until it is set") }
            isSaid = true
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Becomes the owner of the site's database, then opens it.
    private func open(
        _ settings: CoordinatorConfiguration, _ logger: Logger
    ) throws -> (DatabaseLock, Store) {
        let path = settings.sites[0].database
        do {
            let lock = try self.lock(path)
            if let obstacle = lock.obstacle {
                logger.warning(
                    "\(lock.path): \(obstacle): nothing keeps a second coordinator away from \(path)"
                )
            }
            let database = SiteDatabase(settings.sites[0], logger: logger)
            return (lock, try database.open(under: lock, at: AnchoredClock().now))
        } catch let error as StoreError {
            throw Exit(refusing: error)
        }
    }

    private func serve(
        _ settings: CoordinatorConfiguration, store: Store, logger: Logger
    ) async throws {
        let site = settings.sites[0]
        guard let loaded = try store.load() else {
            throw Exit(
                code: 78,
                text: """
                    \(site.database) holds no site yet: run \
                    beaconmesh import --database \(site.database) site.yaml
                    """)
        }
        guard loaded.names.site == site.id else {
            throw Exit(
                code: 78,
                text: "\(site.database) holds site \(loaded.names.site), not \(site.id)")
        }
        let overrides = try store.decisions()
        let password = try Secret.read(settings.broker.passwordFile)
        let file = settings.http.tokenFile
        if try TokenFile.make(at: file) {
            logger.notice("made \(file): its one line is the token that HTTP asks for")
        }
        let token = try Secret.read(file)
        let clock = try await StartClock.agreed(
            newest: loaded.saved.site.clock, logger: logger)
        let feed = LiveFeed(now: { clock.now.milliseconds })
        let status = SharedStatus()
        let mailbox = LoopMailbox()
        let directory = AccountDirectory()
        try directory.reload(store)
        feed.share(directory.sharing)
        let code = directory.isUnclaimed ? SignIn.newCode() : nil
        let interface = SiteInterface(
            desk: WriteDesk(
                store: store, mailbox: mailbox, clock: clock, directory: directory, feed: feed
            ) { Self.noteEnrolment(in: settings.enrolmentFile, logger) },
            signIn: SignIn(code: code), pushServices: settings.http.pushServices,
            joining: settings.joining
        ) { status.update { $0.localRefusals += 1 } }
        let socket = localSocket(of: site.database, logger)
        defer { socket?.removeSocket() }
        var health = status.health
        let figures = health.metrics
        health.metrics = { figures() + interface.metrics }
        var authority = directory.authority(file: token) { clock.now }
        authority.onRefusal = interface.attempts.note
        let server = WebServer(
            host: settings.http.host, port: settings.http.port, feed: feed,
            access: settings.http.access(authority, also: settings.joining?.host),
            health: health, routes: interface.routes,
            local: socket.map { Self.listener(at: $0, interface.localRoutes, logger) })
        let (host, config) = (settings.http.host, config)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (listening, listens) = AsyncStream.makeStream(of: Int.self)
            group.addTask {
                do {
                    try await server.run { port in
                        listens.yield(port)
                        listens.finish()
                    }
                } catch {
                    StopSignal.raise()  // The loop's thread knows nothing of tasks.
                    throw Self.exit(for: error, config)
                }
            }
            group.addTask {
                for await port in listening {
                    logger.notice("dashboard at http://\(host):\(port)/")
                    guard let code else { continue }
                    logger.notice(
                        """
                        nobody owns this site yet: open http://\(host):\(port)/signin and enter the \
                        code \(code), or run beaconmesh account recover
                        """)
                }
                try Task.checkCancellation()  // Nobody listens.
                try await LoopThread.run {
                    let loop = try CoordinatorLoop(
                        configuration: settings, store: store, loaded: loaded,
                        overrides: overrides, feed: feed, status: status, clock: LoopClock(clock),
                        mailbox: mailbox,
                        password: password,
                        logger: logger)
                    let notifier = Notifier(
                        store: store, mailbox: mailbox, clock: clock, status: status,
                        logger: logger,
                        services: settings.http.pushServices
                    )
                    defer { notifier.stop(within: 0.5) }
                    let days = DayTeller(
                        store: store, mailbox: mailbox, clock: clock, logger: logger)
                    defer { days.stop(within: 0.5) }
                    let taking = interface.takeSamples()
                    defer { taking.cancel() }
                    let detecting = interface.takeDetections()
                    defer { detecting.cancel() }
                    let using = interface.noteUses()
                    defer { using.cancel() }
                    let ending = interface.endUnregistered { logger.warning("\($0)") }
                    defer { ending.cancel() }
                    let following = interface.followContent { logger.warning("\($0)") }
                    defer { following.cancel() }
                    let ranging = interface.followRange { logger.warning("\($0)") }
                    defer { ranging.cancel() }
                    let nearing = interface.tellNear { logger.warning("\($0)") }
                    defer { nearing.cancel() }
                    let seeing = interface.followSightings { logger.warning("\($0)") }
                    defer { seeing.cancel() }
                    let answering = interface.answerRequests()
                    defer { answering.cancel() }
                    let backups =
                        site.isBackedUp
                        ? HourlyBackups(
                            folder: SiteDatabase(site, logger: logger).folder, clock: clock,
                            status: status, logger: logger) : nil
                    defer { backups?.stop(within: 0.5) }
                    try loop.run()
                }
                throw CancellationError()
            }
            do {
                try await group.next()
                try await group.next()
            } catch is CancellationError {}
            group.cancelAll()
        }
    }

    /// Tells whoever keeps the broker's files that somebody else may sign in than before.
    private static func noteEnrolment(in file: String?, _ logger: Logger) {
        guard let file else { return }
        let line = "\(AnchoredClock().now.milliseconds)\n"
        do {
            try Data(line.utf8).write(to: URL(fileURLWithPath: file))
        } catch {
            logger.warning(
                "\(file): \(error.localizedDescription): the broker is not told of who was enrolled or revoked"
            )
        }
    }

    /// A verb that writes is over soon; a second coordinator is not waited for.
    private func lock(_ path: String) throws(StoreError) -> DatabaseLock {
        let deadline = ContinuousClock.now + .seconds(Store.patience)
        while true {
            do throws(StoreError) {
                return try DatabaseLock(of: path, by: Self.name, at: AnchoredClock().now)
            } catch {
                guard case .owned(_, let holder?) = error, holder.program != Self.name,
                    ContinuousClock.now < deadline
                else { throw error }
                usleep(50_000)
            }
        }
    }

    /// Where the command line asks, or `nil` with a line in the log: then it cannot write while this
    /// coordinator runs, and all else goes on. Whoever has the lock may remove a socket that is there:
    /// nobody listens at it.
    private func localSocket(of database: String, _ logger: Logger) -> LocalSocket? {
        do {
            let socket = try SiteAccess.socket(of: database)
            socket.removeSocket()
            return socket
        } catch {
            Self.warn(error.description, logger)
            return nil
        }
    }

    private static func listener(
        at socket: LocalSocket, _ routes: [Route], _ logger: Logger
    ) -> LocalListener {
        LocalListener(path: socket.name, routes: routes) {
            guard !socket.closeToOthers() else { return }
            logger.warning("\(socket.path): its rights cannot be set")
        } onFailure: { reason in
            warn("\(socket.path): \(reason)", logger)
        }
    }

    private static func warn(_ reason: String, _ logger: Logger) {
        logger.warning(
            "\(reason): beaconmesh cannot write to the site while this coordinator runs")
    }

    private static func exit(for error: any Error, _ config: String) -> any Error {
        guard case WebServer.Failure.cannotListen(let host, let port, let reason) = error else {
            return error
        }
        let address = "\(host):\(port)"
        guard PortProbe.port(port, of: host).isTaken else {
            return Exit(
                code: 69, text: "cannot listen on \(address): \(reason); see http in \(config)")
        }
        return Exit(
            code: 69,
            text: """
                \(address) is in use by \(PortOwner.name(ofPort: port) ?? "another program"): end \
                it, or change http.port in \(config)
                """)
    }
}

extension CoordinatorConfiguration.Listener {
    /// Who is let in, and by what names: also by the one that nodes call it.
    fileprivate func access(_ authority: Authority, also name: String?) -> Access {
        var access = Access(authority)
        access.isReadingAnonymous = isReadingAnonymous
        access.networks = allowedNetworks
        access.proxies = trustedProxies
        access.hosts = Set(
            hostNames + [host.lowercased()] + [name?.lowercased()].compactMap(\.self))
        return access
    }
}

extension Exit {
    /// The end of a program that was not given its database: 75 while somebody else has it, 78 if
    /// trying again would not help.
    package init(refusing error: StoreError) {
        let code =
            switch error {
            case .owned, .busy: Self.unfinished
            default: Int32(78)
            }
        self.init(code: code, text: error.description)
    }
}
