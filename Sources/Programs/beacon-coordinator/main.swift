import CoordinatorService
import Glibc

exit(await CoordinatorCommand.run(Array(CommandLine.arguments.dropFirst())))
