/// Who asks for what a task does: the person, whatever they ask with, else the account, token or address. For shares of
/// what there is little of.
package enum RequestAsker {
    @TaskLocal package static var current = ""
}
