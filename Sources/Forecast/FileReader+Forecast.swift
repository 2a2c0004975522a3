import Pinning
import TLSCore

extension FileReader {
    func pin(_ node: YAMLNode) -> Pin? {
        guard let text = prose(node, "a pin such as sha256/…") else { return nil }
        do throws(Pin.ParseError) {
            return try Pin(parsing: text)
        } catch {
            report("\(error)", at: node)
            return nil
        }
    }

    func keyType(_ node: YAMLNode) -> KeyType? { choice(node, "a type of key") }

    /// The host that an app asks for.
    func host(_ node: YAMLNode?, isHost: (String) -> Bool) -> String? {
        guard let node, let name = prose(node, "the name of a host") else { return nil }
        guard isHost(name) else {
            report("'\(name)' is not the name of a host, as in api.example.com", at: node)
            return nil
        }
        return name
    }
}
