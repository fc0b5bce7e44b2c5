/// The version of the decisions: a recording replays to the same digest under the same one.
package enum CoreVersion {
    /// As in `--version`, node status and recordings.
    package static let text = "0.1.0"
}
