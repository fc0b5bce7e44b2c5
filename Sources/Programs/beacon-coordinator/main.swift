import Coordinator

await runCommand(CoordinatorCommand.self)
