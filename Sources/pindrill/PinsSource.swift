import Foundation
import MitmHarness
import TLSCore

/// Where `pindrill pins` takes keys from.
enum PinsSource {
    case file(String)
    case standardInput
    case server(host: String, port: Int)

    /// A file of that name goes before a server.
    init(_ argument: String) throws(InputError) {
        if argument == "-" {
            self = .standardInput
        } else if !FileManager.default.fileExists(atPath: argument), let server = try PinsSource.server(argument) {
            self = .server(host: server.host, port: server.port)
        } else {
            self = .file(argument)
        }
    }

    /// `host:port`, an IPv6 address in brackets, or a URL of https; `nil` for what is a file's name.
    static func server(_ text: String) throws(InputError) -> (host: String, port: Int)? {
        if let url = text.wholeMatch(of: #/([A-Za-z][A-Za-z0-9+.\-]*):\/\/(?:[^@\/?#]*@)?([^\/?#]*).*/#)?.output {
            guard url.1.lowercased() == "https" else {
                throw InputError("only https is known of URLs; write the server as host:port")
            }
            return try server(url.2.contains(#/:[0-9]+$/#) ? String(url.2) : "\(url.2):443")
        }
        guard let parts = text.wholeMatch(of: #/(\[[^\]\/]*\]|[^:\/\[\]]+):([0-9]+)/#)?.output else {
            let isAddress = text.wholeMatch(of: #/[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9]+/#) != nil
            guard !isAddress else { throw InputError("write an IPv6 address in brackets, as in [::1]:443") }
            return nil
        }
        guard let port = Int(parts.2), 1...65535 ~= port else { throw InputError("a port is a number from 1 to 65535") }
        var host = parts.1
        if host.hasPrefix("[") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw InputError("the host is missing") }
        return (String(host), port)
    }
}
