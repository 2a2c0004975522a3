/// A certificate that a device trusts without asking further, and who put it there.
///
/// The origin matters because some pinning systems exempt anchors that the device's user installed (TrustKit on macOS,
/// Chromium), and because "a root the user was talked into installing" is the usual attacker.
package struct TrustAnchor: Hashable, Sendable {
    /// Who made the device trust an anchor.
    package enum Origin: String, CaseIterable, Sendable {
        /// Came with the operating system.
        case system
        /// Installed by the device's user, or by its administrator.
        case user
        /// Shipped inside the app, which trusts it instead of, or beside, the system's anchors.
        case app
    }

    package let certificate: Certificate
    package let origin: Origin

    package init(_ certificate: Certificate, origin: Origin = .system) {
        self.certificate = certificate
        self.origin = origin
    }
}
