package import Pinning
package import TLSCore

/// A policy that is not declared in a scenario file but read from an app's own configuration.
package struct ImportedPolicy: Hashable, Sendable {
    /// The configuration's file, as the scenario file or the command line names it.
    package var file: String
    package var configuration: any PinConfiguration
    /// The keys or authorities, by name, that stand for pins of production's, beside those that `stands-for` names.
    package var standIns: [Pin: String]

    package init(file: String, configuration: any PinConfiguration, standIns: [Pin: String] = [:]) {
        self.file = file
        self.configuration = configuration
        self.standIns = standIns
    }

    // A configuration is what it renders to.
    package static func == (left: ImportedPolicy, right: ImportedPolicy) -> Bool {
        left.file == right.file && left.standIns == right.standIns
            && left.configuration.rendered() == right.configuration.rendered()
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(file) }
}
