package import Foundation
package import MitmProxy
import TLSCore
package import Witness

/// What stands in the way of a drill, by what was seen of a device: one thing, the first to be mended.
package enum DeviceFinding: Hashable, Sendable {
    /// The app accepted its own server.
    case ready
    case nothingArrives
    /// By how much the device's clock is ahead, where that is known.
    case wrongClock(TimeInterval?)
    case wentByQUIC
    /// The device's browser does not trust these roots.
    case untrusted([String])
    /// Nobody on the device trusts what it is shown.
    case refusesEverything
    /// Others on the device trust our roots, and the app does not.
    case appRefuses
    /// The app trusted the chain, and left all the same.
    case pinnedElsewhere
    case cleartext
    /// It connected, and it is not known what it made of it.
    case unclear(Reaction)
    /// Other hosts arrive, and the one under test never does.
    case bypassed(others: [String])
    /// The browser is here, and nothing of the app.
    case appIsSilent

    /// Less than any certificate's window.
    private static let toleratedClockError: TimeInterval = 3600

    /// - Parameters:
    ///   - seen: all connections since the last look.
    ///   - page: what the device was given; `nil`: nothing.
    package init(seen: [Observation], host: String, page: DevicePage?) {
        let own = seen.filter { $0.counts(for: host) && page?.concerns($0) != true }
        let checks = page?.checks ?? []
        let refused = checks.filter { check in
            let reactions = seen.filter { $0.names(check.host) }.map(\.reaction)
            return !reactions.contains(.accepted) && reactions.contains(where: \.isRejected)
        }
        let browserTrusts = seen.contains { seen in
            seen.reaction == .accepted && checks.contains { seen.names($0.host) }
        }
        let others = seen.filter { !$0.counts(for: host) && page?.concerns($0) != true }
        let rejections = seen.compactMap { if case .rejected(let how) = $0.reaction { how } else { nil } }
        if own.contains(where: { $0.reaction == .accepted || $0.hasConversed }) {
            self = .ready
        } else if let error = page?.clockError, abs(error) > Self.toleratedClockError {
            self = .wrongClock(error)
        } else if rejections.contains(where: \.isAboutDates) {
            self = .wrongClock(nil)
        } else if seen.isEmpty {
            self = .nothingArrives
        } else if own.contains(where: { $0.reaction == .cleartext }) {
            self = .cleartext
        } else if let last = own.last(where: { $0.reaction.isRejected }) {
            if last.reaction == .rejected(.withheldRequest) {
                self = .pinnedElsewhere
            } else if browserTrusts || others.contains(where: { $0.reaction == .accepted }) {
                self = .appRefuses
            } else {
                self = refused.isEmpty ? .refusesEverything : .untrusted(refused.map(\.root))
            }
        } else if seen.contains(where: { $0.reaction == .inconclusive(.datagrams(isQUIC: true)) }) {
            self = .wentByQUIC
        } else if !refused.isEmpty {
            self = .untrusted(refused.map(\.root))
        } else if let last = own.last {
            self = .unclear(last.reaction)
        } else if others.isEmpty {
            self = .appIsSilent
        } else if others.allSatisfy({ $0.reaction.isRejected }) {
            self = .refusesEverything
        } else {
            self = .bypassed(others: others.compactMap(\.target).uniqued)
        }
    }

    /// What is the matter, and how it is mended on each system: the first line says what.
    ///
    /// - Parameter proxy: the address and port that the device is to have as its proxy.
    package func advice(host: String, proxy: String) -> [String] {
        switch self {
        case .ready: ["The app reached \(host) through PinDrill, and accepted it."]
        case .nothingArrives:
            [
                "Nothing arrives from the device.",
                "Proxy: iOS: Settings, Wi-Fi, (i), Configure Proxy, Manual. Android: Settings, Wi-Fi, the network, Proxy, "
                    + "Manual. It must be \(proxy).",
                "Network: the device must be in a Wi-Fi that reaches this machine, and no firewall of it may turn it away. "
                    + "A guest network often lets nobody reach another.",
                "Private Relay, a VPN or private DNS goes around the proxy: switch it off for the test.",
            ]
        case .wrongClock(let error):
            [
                "The device's clock is wrong"
                    + (error.map { ": by \(Int(abs($0) / 60)) minutes, \($0 > 0 ? "ahead" : "behind")." }
                        ?? ", for it says that a certificate is not valid today."),
                "Let the system set the time by itself: no certificate is valid at another time.",
            ]
        case .wentByQUIC:
            [
                "The app goes by HTTP/3 (QUIC), which goes around the proxy.",
                "Block UDP port 443 in the Wi-Fi, or switch HTTP/3 off in the test build. Most apps then come by TCP.",
            ]
        case .untrusted(let roots):
            [
                "The device does not trust \(roots.joined(separator: ", ")).",
                "iOS: install the profile, and switch each root on: Settings, General, About, Certificate Trust Settings. "
                    + "That is another switch than the installation.",
                "Android: Settings, Security, Encryption and credentials, Install a certificate, CA certificate.",
                "Roots of an earlier drill do not count: compare the fingerprints.",
            ]
        case .refusesEverything:
            [
                "Everything on the device rejects what it is shown.",
                "Are the roots installed? Open http://\(DevicePage.host)/ on the device and test them there. On iOS each must be "
                    + "switched on as well: Settings, General, About, Certificate Trust Settings.",
            ]
        case .appRefuses:
            [
                "The device trusts the roots, and the app does not.",
                "Android 7 and newer: apps ignore roots that a user installed. Take a debug build whose network security "
                    + "configuration names them ('pindrill certs export --kit android'), or an emulator without Google Play "
                    + "and '--android'.",
                "The app may have a store of its own (Flutter, Firefox, Java): give the roots to the build.",
                "The app may pin the keys of production: see 'present: upstream', or pin the keys of this drill.",
            ]
        case .pinnedElsewhere:
            [
                "The app trusts the root, and leaves before it sends a request: it pins other keys than those of this drill.",
                "Build it with these pins ('pindrill certs export --as'), and keep the keys ('pindrill certs init', --certs).",
                "Or show it the genuine server as its control: 'present: upstream'.",
            ]
        case .cleartext:
            [
                "The app asks \(host) without TLS.",
                "Look for http:// in its settings: nothing there can be pinned.",
            ]
        case .unclear(let reaction):
            [
                "The app reached PinDrill, and it is not known how it took it: it \(reaction).",
                "Have it make a request, and look again.",
            ]
        case .bypassed(let others):
            [
                "Other hosts arrive (\(others.prefix(3).joined(separator: ", "))\(others.count > 3 ? ", …" : "")), and "
                    + "\(host) never does.",
                "Has the app asked for it? Open the app, and do what makes it ask \(host).",
                "Flutter, and some SDKs, take no notice of the proxy setting: use Android's '--android' with a redirect, a "
                    + "network whose gateway is this machine, or set the proxy in the test build.",
                "If the host is another one, name it in the file: 'host:'.",
            ]
        case .appIsSilent:
            [
                "The browser of the device is here, and nothing of the app has come.",
                "Open the app, and do what makes it ask \(host). If it is open, end it first: it may have connected before the "
                    + "proxy was set.",
                "Flutter, and some SDKs, take no notice of the proxy setting.",
            ]
        }
    }
}

extension Reaction.Rejection {
    /// `certificate_expired` (RFC 8446 section 6.2).
    fileprivate var isAboutDates: Bool { if case .alert(let alert) = self { alert.number == 45 } else { false } }
}
