import Pinning
import Scenarios
import TLSCore

/// A host for which the apps of one project for iOS and Android do not pin the same keys.
///
/// Rotations are planned for both at once, so a key that only one of them knows locks the users of the other out.
struct PlatformDifference: CustomStringConvertible {
    var host: String
    /// Where the app for iOS stands; for Android, where that alone pins the host.
    var place: ProjectReading.Place
    var description: String

    private enum Platform: String {
        case iOS, android = "Android"

        /// `nil` for what runs anywhere.
        init?(_ dialect: Dialect) {
            switch dialect {
            case .ats, .trustkit, .alamofire, .delegate, .publicKeyPinning, .afnetworking: self = .iOS
            case .android, .trustkitAndroid, .okhttp: self = .android
            case .curl, .fingerprint, .callback, .hpkp, .chromium, .electron: return nil
            }
        }
    }

    /// None where the project has an app for one of them only. Debug builds are left out: they are nobody's app.
    ///
    /// - Parameter isWhole: whether these are all; otherwise nobody knows what only one of the apps pins.
    static func all(among configurations: [ProjectReport.Configuration], isWhole: Bool) -> [PlatformDifference] {
        let released = configurations.filter { !$0.place.isOfDebugging }
        func of(_ platform: Platform) -> [ProjectReport.Configuration] {
            released.filter { Platform($0.report.dialect) == platform && $0.policy != nil }
        }
        let (iOS, android) = (of(.iOS), of(.android))
        guard !iOS.isEmpty, !android.isEmpty else { return [] }
        // A name that stands for many hosts is played for one of them, and told as it is written.
        let hosts = (iOS + android).flatMap { $0.report.audit?.hosts ?? [] }
        let written = Dictionary(hosts.map { ($0.name, $0.domain ?? $0.name) }) { first, _ in first }
        return hosts.map(\.name).uniqued.compactMap { name in
            let (left, right) = (pins(of: name, iOS), pins(of: name, android))
            let host = written[name] ?? name
            guard let place = left.place ?? right.place, left.pins != right.pins,
                isWhole || !left.pins.isEmpty && !right.pins.isEmpty,
                // One that refuses all has a finding of its own.
                !refusesAll(name, left.pins.isEmpty ? iOS : android)
            else { return nil }
            return PlatformDifference(host: host, place: place, description: words(host, left.pins, right.pins))
        }
    }

    private static func pins(
        of host: String,
        _ configurations: [ProjectReport.Configuration]
    ) -> (pins: Set<PinnedDigest>, place: ProjectReading.Place?) {
        var pins: Set<PinnedDigest> = []
        var place: ProjectReading.Place?
        for configuration in configurations {
            let scope = configuration.policy?.configuration.scope(for: host)
            let own = (scope?.lists ?? []).flatMap(\.digests)
            guard !own.isEmpty else { continue }
            pins.formUnion(own)
            if place == nil {
                place = configuration.place
                place?.line = scope?.line ?? configuration.place.line
            }
        }
        return (pins, place)
    }

    /// Whether one of the apps holds a host to a list without pins.
    private static func refusesAll(_ host: String, _ configurations: [ProjectReport.Configuration]) -> Bool {
        configurations.contains { configuration in
            configuration.policy?.configuration.scope(for: host)?.lists.contains { $0.digests.isEmpty } ?? false
        }
    }

    private static func words(_ host: String, _ iOS: Set<PinnedDigest>, _ android: Set<PinnedDigest>) -> String {
        if iOS.isEmpty { return "'\(host)' is pinned for Android, and not for iOS" }
        if android.isEmpty { return "'\(host)' is pinned for iOS, and not for Android" }
        let only = [(iOS.subtracting(android), "iOS"), (android.subtracting(iOS), "Android")].filter { !$0.0.isEmpty }
        let parts = only.map { pins, name in
            "only \(name) knows \(pins.map { "\($0)" }.sorted().joined(separator: ", "))"
        }
        return "iOS and Android pin different keys for '\(host)': \(parts.joined(separator: "; "))"
    }
}

extension ProjectReading.Place {
    /// As Android's source sets and Gradle call it, and conditions in sources.
    fileprivate var isOfDebugging: Bool {
        path.contains("/src/debug/")
            || conditions.contains { !$0.hasPrefix("not ") && $0.lowercased().contains("debug") }
    }
}
