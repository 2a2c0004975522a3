public import Pinning
public import TLSCore

/// A policy that is not declared in a scenario file but read from an app's own configuration.
public struct ImportedPolicy: Hashable, Sendable {
    /// The configuration's file, as the scenario file or the command line names it.
    public var file: String
    public var configuration: any PinConfiguration
    /// The keys or authorities, by name, that stand for pins of production's, beside those that `stands-for` names.
    public var standIns: [Pin: String]

    public init(file: String, configuration: any PinConfiguration, standIns: [Pin: String] = [:]) {
        self.file = file
        self.configuration = configuration
        self.standIns = standIns
    }

    // A configuration is what it renders to.
    public static func == (left: ImportedPolicy, right: ImportedPolicy) -> Bool {
        left.file == right.file && left.standIns == right.standIns
            && left.configuration.rendered() == right.configuration.rendered()
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(file) }
}
