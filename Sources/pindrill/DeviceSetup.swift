import Foundation
import MitmHarness
import MitmProxy
import Scenarios
import Synchronization
import TLSCore

/// What the device of a drill has to be given, and what it is told of that.
final class DeviceSetup: Sendable {
    let page: DevicePage
    /// In the order in which they are played.
    let trials: [Trial]
    private let parts: [DrillPart]
    private let oracle: Oracle
    private let folder: TrialFolder
    private let keepsRoots: Bool
    private let android: AndroidDevice?
    private let current = Mutex<Int?>(nil)

    init(_ trials: [Trial], of loaded: LoadedFile, at instant: Date, keepsRoots: Bool, android: AndroidDevice? = nil)
        throws
    {
        self.android = android
        oracle = loaded.oracle
        self.keepsRoots = keepsRoots
        parts = try oracle.drillParts(of: trials, instant: instant)
        self.trials = parts.flatMap(\.trials)
        folder = try TrialFolder()
        let time = trials.first?.scenario.steps.first?.at ?? .zero
        let checks = try oracle.rootChecks(parts.flatMap(\.roots).uniqued, host: loaded.file.host, at: time)
        let hosts = trials.flatMap(\.scenario.steps).map(\.host)
        page = DevicePage(
            checks: checks.map { DevicePage.Check(host: $0.host, root: $0.root, identity: $0.identity) },
            tested: ([loaded.file.host] + hosts).uniqued
        )
    }

    /// The page for the device of one trial, which has its roots.
    static func page(for trial: Trial, of loaded: LoadedFile, at instant: Date) throws -> DevicePage {
        let setup = try DeviceSetup([trial], of: loaded, at: instant, keepsRoots: true)
        defer { setup.remove() }
        for part in setup.parts { try setup.show(part, for: trial) }
        return setup.page
    }

    /// Leaves the device as it was.
    func remove() {
        android?.undo()
        folder.remove()
    }

    /// Where the device needs other roots for this trial than it has, what is to be done; and from now on the page has them.
    ///
    /// - Parameter address: where the device reaches us, with its port.
    func lines(for trial: Trial, address: String, style: TextStyle) throws -> [String] {
        guard let index = parts.firstIndex(where: { $0.trials.contains(trial) }) else { return [] }
        let before = current.withLock { current in
            defer { current = index }
            return current
        }
        guard before != index else { return [] }
        let part = parts[index]
        let roots = try show(part, for: trial)
        let file = folder.url.appending(path: "roots-\(index + 1).pem")
        try roots.map(\.certificate.pem).joined().write(to: file, atomically: true, encoding: .utf8)
        let gone = before.map { Set(parts[$0].roots).subtracting(part.roots).sorted() } ?? []
        var lines = ["  Roots that it must trust, and no others of ours: \(file.path)"]
        lines += roots.map { root in
            let subject = root.certificate.commonName
            let shown = subject == root.name ? "" : ", on the device '\(subject)'"
            return "    \(root.certificate.fingerprint.colonHex)  \(root.name)\(shown)"
        }
        if !gone.isEmpty { lines.append(style.heading("  Remove from the device: \(gone.joined(separator: ", "))")) }
        if let android { lines += try android.install(roots).map { "  \($0)" } }
        if before == nil {
            lines.append(
                "  The device gets them at http://\(DevicePage.host)/ through its proxy, or at http://\(address)/"
            )
            if !keepsRoots {
                lines.append("  They are new in each drill. To install them once: 'pindrill certs init', and --certs.")
            }
        }
        return lines
    }

    /// Puts the roots of a part on the page.
    @discardableResult
    private func show(_ part: DrillPart, for trial: Trial) throws -> [RootExport.Root] {
        let time = trial.scenario.steps.first?.at ?? .zero
        // As in a store: who reads the first only trusts nobody but an attacker, and fails the control.
        let isAttackers = { (name: String) in self.oracle.pki.holder(ofAuthority: name) == .attacker }
        let roots = try (part.roots.filter(isAttackers) + part.roots.filter { !isAttackers($0) }).map { name in
            (name: name, certificate: try oracle.pki.authority(named: name, at: time).certificate)
        }
        page.show(DeviceGuide(roots: roots, page: page).files)
        return roots
    }
}

extension Pin {
    /// As systems show fingerprints to people.
    var colonHex: String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}

/// The pages that a device's browser is shown, and the files that they link to.
private struct DeviceGuide {
    let roots: [RootExport.Root]
    let page: DevicePage

    var files: [String: DevicePage.File] {
        var files = [
            "/": html("PinDrill: roots for this device", guide),
            "/trust": html("PinDrill: does this device trust the roots?", trust),
            "/pindrill.mobileconfig": DevicePage.File(
                // Apple, "Distributing configuration profiles".
                "application/x-apple-aspen-config",
                Array(RootExport.mobileconfig(roots).utf8)
            ),
            "/roots.pem": DevicePage.File("application/x-pem-file", Array(roots.map(\.certificate.pem).joined().utf8)),
        ]
        for (index, root) in roots.enumerated() {
            files["/root-\(index + 1).crt"] = DevicePage.File("application/x-x509-ca-cert", root.certificate.der)
        }
        return files
    }

    private var guide: String {
        let items = roots.enumerated().map { index, root in
            """
            <li><a href="/root-\(index + 1).crt" download>\(escaped(root.name))</a><br><code>\
            \(root.certificate.fingerprint.colonHex)</code></li>

            """
        }
        return """
            <p><strong>For test devices only.</strong> Whoever has the keys of these roots can read what this device sends. \
            Remove them after the test.</p>
            <h2>1. Take the roots</h2>
            <p><a class="button" href="/pindrill.mobileconfig">Profile for iOS and macOS</a> \
            <a class="button" href="/roots.pem" download>All roots (PEM)</a></p>
            <p>Each root, with its SHA-256 fingerprint. The terminal shows the same: compare them.</p>
            <ol>
            \(items.joined())</ol>
            <h2>2. Install them</h2>
            <dl>
            <dt>iOS, iPadOS</dt><dd>Open the profile in Safari. Settings, Profile Downloaded, Install. Then the second switch: \
            Settings, General, About, Certificate Trust Settings, and switch on each root.</dd>
            <dt>Android</dt><dd>Settings, Security, Encryption and credentials, Install a certificate, CA certificate: each \
            root. Apps ignore these from Android 7 on, unless their network security configuration names user \
            certificates: take a debug build.</dd>
            <dt>macOS</dt><dd>Open the profile. System Settings, General, Device Management, Install.</dd>
            <dt>Windows</dt><dd>Open each root. Install Certificate, Current User, Trusted Root Certification \
            Authorities.</dd>
            <dt>Firefox</dt><dd>It has a store of its own. Settings, Privacy and Security, Certificates, View Certificates, \
            Authorities, Import.</dd>
            </dl>
            <h2>3. Test them</h2>
            <p><a class="button" href="/trust" onclick="this.href='/trust?now='+Date.now()">Test the connection and the \
            trust</a></p>

            """
    }

    private var trust: String {
        let items = page.checks.filter { check in roots.contains { $0.name == check.root } }.map { check in
            """
            <li>\(escaped(check.root)): <img src="https://\(escaped(check.host))/" alt="not trusted"></li>

            """
        }
        let list =
            items.isEmpty
            ? "<p>The host under test is an address, so the roots cannot be tested here. The first step does.</p>\n"
            : "<ul>\n\(items.joined())</ul>\n"
        return """
            <p>The connection works: this page came through PinDrill.</p>
            \(list)<p>A root that is not trusted is not installed, or on iOS not switched on, or this browser does not use \
            the proxy. An app may trust less than this browser: the first step of the drill tells.</p>
            <p><a class="button" href="/trust">Test again</a> <a class="button" href="/">Back</a></p>

            """
    }

    private func html(_ title: String, _ body: String) -> DevicePage.File {
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>
            :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
            body { max-width: 40em; margin: 0 auto; padding: 1em }
            code { overflow-wrap: anywhere; font-size: 0.85em }
            dt { font-weight: bold }
            .button { display: inline-block; padding: 0.6em 1em; border: 1px solid; border-radius: 0.4em }
            </style>
            </head>
            <body>
            <h1>\(title)</h1>
            \(body)</body>
            </html>

            """
        return DevicePage.File("text/html; charset=utf-8", Array(text.utf8))
    }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }
}
