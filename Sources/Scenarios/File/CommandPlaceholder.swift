package import Pinning

/// What a client's command line, `stdin:` and `env:` may ask for, as `{name}`.
package enum CommandPlaceholder: String, CaseIterable, Sendable {
    /// `https://host:port/`.
    case url
    case host
    case port
    /// `127.0.0.1:port`.
    case endpoint
    /// `http://127.0.0.1:port`: the same listener as a proxy that knows `CONNECT`.
    case proxy
    /// `socks5h://127.0.0.1:port`: the same as a proxy that speaks SOCKS5, and is told names.
    case socks
    /// A PEM file with every anchor of the store.
    case trust
    /// Only those that came with the system; empty where there are none.
    case systemTrust = "trust.system"
    /// Only those that the user installed; empty where there are none.
    case userTrust = "trust.user"
    /// A PEM file with a certificate that the client may prove itself with, of this run's.
    case cert
    /// A PEM file with its private key, which nobody else can read.
    case key
    /// `sha256//a;sha256//b`; empty where nothing is pinned.
    case pins
    /// The same in hexadecimal.
    case hexPins = "pins.hex"
    /// One pin, as in `sha256//a`: a `[...]` group around it is repeated for each.
    case pin
    /// The same in hexadecimal.
    case hexPin = "pin.hex"
    /// SHA-256 over the certificates that are pinned whole, in hexadecimal: `a;b`; empty where none is.
    case fingerprints
    /// One of them, repeated as `pin` is.
    case fingerprint
    /// SHA-1 over a certificate that is pinned whole, repeated as `pin` is.
    case certificateSHA1 = "cert.sha1"
    /// The policy as a file of its own system; empty where it is declared in the scenario file.
    case policy
    /// The step's number and first chain, as in `2-forged`.
    case step
    /// A token for the client to send: the report says where it arrived.
    case canary
    /// Where to report failures of pins: `http://127.0.0.1:port/report`; empty where the file has no `collector`.
    case collector
    /// The same in TLS, with a certificate that the step's store trusts.
    case secureCollector = "collector.https"
    /// The trial's own temporary folder, in which the client starts.
    case dir
    /// The folder of the scenario file.
    case here

    /// The environment variable that holds the same: `trust.system` is `PINDRILL_TRUST_SYSTEM`.
    package var variable: String { "PINDRILL_" + rawValue.uppercased().replacing(".", with: "_") }

    /// What the pins that it holds are digests of; `nil` where it holds none.
    package var match: PinRequirement.Match? {
        switch self {
        case .pins, .hexPins, .pin, .hexPin: .key
        case .fingerprints, .fingerprint, .certificateSHA1: .certificate
        default: nil
        }
    }

    /// Those that lead a client here by whatever name it asks for.
    package static let leading: Set<CommandPlaceholder> = [.endpoint, .proxy, .socks]

    /// Whether it has any number of values, so that only a `[...]` group of a command line can hold it.
    package var isRepeated: Bool { [.pin, .hexPin, .fingerprint, .certificateSHA1].contains(self) }
}
