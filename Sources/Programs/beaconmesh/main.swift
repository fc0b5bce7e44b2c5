import Commands

await runCommand(BeaconmeshCommand.self)
