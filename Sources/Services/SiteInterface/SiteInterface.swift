import Accounts
import SiteModel
import WebServer

/// Everything that can be asked of a site over HTTP, but the live page: the one list of routes.
package struct SiteInterface: Sendable {
    package let signIn: SignIn
    private let desk: WriteDesk
    private let onLocalRefusal: @Sendable () -> Void

    /// Routes that read and write at `desk`. `onLocalRefusal` is called for each request at the socket
    /// of the owner that is refused.
    package init(
        desk: WriteDesk, signIn: SignIn, onLocalRefusal: @escaping @Sendable () -> Void
    ) {
        self.desk = desk
        self.signIn = signIn
        self.onLocalRefusal = onLocalRefusal
    }

    /// What is served to everybody; each route says whom it lets in.
    package var routes: [Route] {
        let clock = desk.clock
        let once = Replays(desk)
        // Checking in and out has keys of its own, which it shares with MQTT.
        let routes =
            AttendanceRoutes(mailbox: desk.mailbox).all
            + SessionRoutes(desk, signIn).all
            + once.keep(
                BooksRoutes(store: desk.store, mailbox: desk.mailbox, clock: clock).all
                    + ReportRoutes(store: desk.store, now: { clock.now }).all
                    + RegistryRoutes(desk).all + NodeCommandRoutes(desk).all
                    + AccountRoutes(desk).all)
        return routes + DescriptionRoutes(routes).all
    }

    /// What is served at the socket of the owner only.
    package var localRoutes: [Route] { LocalRoutes(desk, onRefusal: onLocalRefusal).all }

    /// Stores twice a minute when sessions and tokens were last used, until the task is cancelled.
    package func noteUses() -> Task<Void, Never> {
        Task { [desk] in
            while (try? await Task.sleep(for: .seconds(30))) != nil {
                guard let used = desk.directory.takeUsed() else { continue }
                // What is lost here is the time of a use.
                let clock = desk.clock
                _ = try? await desk.mailbox.ask(within: 10) { store in
                    try Accounts(store).perform(used, by: "core", via: .core, at: clock.now)
                }
            }
        }
    }
}
