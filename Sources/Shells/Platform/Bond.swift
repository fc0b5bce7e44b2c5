import Glibc

/// Starts programs that end with their parent process, also when that is killed.
package enum Bond {
    /// The words to put before a command (util-linux; on every Debian), or none where that program is
    /// missing. The kernel sends the signal when the *thread* that started the program ends. Programs
    /// with capabilities of their own (`setcap`) do not get it.
    package static func launcher(_ signal: String) -> [String] {
        let program = "/usr/bin/setpriv"
        return access(program, X_OK) == 0 ? [program, "--pdeathsig", signal, "--"] : []
    }
}
