import Foundation

/// Where an app runs, and how it was built, as far as its configuration does not say. Each system looks at a part of it.
package struct AppDevice: Hashable, Sendable {
    /// What can be said, by the words of the command line and of scenario files.
    package enum Setting: String, CaseIterable, Sendable {
        /// TrustKit on macOS: `mac`.
        case mac
        /// A build that may be debugged: `debuggable`.
        case debuggable
        /// Of the app's manifest: `target-sdk=23`.
        case targetSDK = "target-sdk"
        /// Of the device: `api-level=23`.
        case apiLevel = "api-level"
        /// Of the device, by the names of the IANA database: `time-zone=Europe/Berlin`.
        case timeZone = "time-zone"
    }

    /// Not such a setting: names the culprit and what was expected.
    package struct ParseError: Error, Hashable, CustomStringConvertible, Sendable {
        package let description: String
    }

    /// Those that were said, whatever their value.
    package private(set) var settings: Set<Setting> = []
    package private(set) var platform = TrustKitConfiguration.Platform.iOS
    package private(set) var android = AndroidNetworkSecurity.Device()
    package private(set) var apiLevel = 35

    /// A release build on a current telephone.
    package init() {}

    /// - Parameter texts: settings as in `debuggable` and `target-sdk=23`.
    package init(parsing texts: [String]) throws(ParseError) {
        for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let setting = Setting(rawValue: parts[0]) else {
                let names = Setting.allCases.map(\.rawValue)
                let advice = nearest(to: parts[0], among: names).map { "did you mean '\($0)'?" }
                throw ParseError(
                    description: "no device setting '\(parts[0])'; "
                        + (advice ?? "there are \(names.joined(separator: ", "))")
                )
            }
            guard settings.insert(setting).inserted else {
                throw ParseError(description: "the device setting '\(setting.rawValue)' is given twice")
            }
            try set(setting, parts.count > 1 ? parts[1] : nil)
        }
    }

    private mutating func set(_ setting: Setting, _ value: String?) throws(ParseError) {
        switch setting {
        case .mac, .debuggable:
            guard value == nil else { throw ParseError(description: "'\(setting.rawValue)' takes no value") }
            if setting == .mac { platform = .macOS } else { android.isDebuggable = true }
        case .targetSDK, .apiLevel:
            guard let level = value.flatMap({ Int($0) }), 1...1000 ~= level else {
                throw ParseError(
                    description: "'\(setting.rawValue)' needs a level of the API, as in \(setting.rawValue)=23"
                )
            }
            if setting == .targetSDK { android.targetSDK = level } else { apiLevel = level }
        case .timeZone:
            guard let zone = value.flatMap({ TimeZone(identifier: $0) }) else {
                throw ParseError(
                    description: "'\(value ?? "")' is no time zone; write one as in time-zone=Europe/Berlin"
                )
            }
            android.timeZone = zone
        }
    }
}
