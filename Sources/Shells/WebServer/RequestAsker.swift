/// Who asks for what a task does: the person, whatever they ask with, else the account, token or address. For shares of
/// what there is little of.
package enum RequestAsker {
    @TaskLocal package static var current = ""

    static func name(in context: WebContext) -> String {
        let asker = context.visitor?.principal
        return asker?.user ?? asker?.name ?? context.client.address
    }
}
