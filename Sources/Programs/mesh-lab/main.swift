import Commands

await runCommand(LabCommand.self)
