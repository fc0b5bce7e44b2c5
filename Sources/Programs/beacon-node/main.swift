import Glibc
import NodeService

exit(NodeCommand.run(Array(CommandLine.arguments.dropFirst())))
