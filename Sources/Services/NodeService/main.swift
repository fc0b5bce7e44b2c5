import Glibc

exit(NodeCommand.run(Array(CommandLine.arguments.dropFirst())))
