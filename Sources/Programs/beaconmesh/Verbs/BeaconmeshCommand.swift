import SiteModel
import ArgumentParser
import Calibration
import CoordinatorService
import Demo
import Logbook

/// `beaconmesh`: everything a person does with a mesh from a terminal.
package struct BeaconmeshCommand: AsyncParsableCommand {
    /// Names and texts of the command.
    package static let configuration = CommandConfiguration(
        commandName: "beaconmesh",
        abstract: "Runs a demonstration, imports a site, shows who is where, decodes.",
        version: CoreVersion.text,
        subcommands: [
            DemoCommand.self, SiteVerb.self, ImportVerb.self, WhoVerb.self, WhyVerb.self,
            RecordVerb.self,
            ReplayVerb.self, DecodeVerb.self, ScanVerb.self, CalibrateVerb.self, DoctorVerb.self,
            BackupVerb.self, RestoreVerb.self, AttendanceVerb.self, AuditVerb.self, RetainVerb.self,
            EraseVerb.self,
            ExportVerb.self, OperationVerb<ShiftOperations>.self,
            OperationVerb<LeaveOperations>.self, OperationVerb<FeedOperations>.self,
            OperationVerb<WebhookOperations>.self,
            OperationVerb<MailServerOperations>.self,
            OperationVerb<NotificationOperations>.self, AccountVerb.self,
            OperationVerb<TokenOperations>.self,
            OperationVerb<RoomOperations>.self, OperationVerb<ExerciseOperations>.self,
            OperationVerb<StationOperations>.self, NodeVerb.self,
            OperationVerb<UserOperations>.self, BeaconVerb.self,
            OperationVerb<GroupOperations>.self, OperationVerb<CardOperations>.self,
            ContentVerb.self,
            OperationVerb<PolicyOperations>.self, OperationVerb<SettingsOperations>.self,
            APIVerb.self, DoVerb.self, WorkoutVerb.self,
            EnrolVerb.self, RevokeVerb.self, BrokerVerb.self,
        ])

    package init() {}
}
