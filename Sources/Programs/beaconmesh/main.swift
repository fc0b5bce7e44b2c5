import Coordinator

await runCommand(BeaconmeshCommand.self)
