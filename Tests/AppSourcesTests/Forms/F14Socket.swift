import Starscream

// What a socket is held to: a file, all files, what a caller gives.
final class F14Socket {
    func own() {
        guard let url = Bundle.main.url(forResource: "socket", withExtension: "der"),
            let data = try? Data(contentsOf: url)
        else { return }
        socket.security = SSLSecurity(certs: [SSLCert(data: data)], usePublicKeys: true)
    }

    func all() { socket.security = SSLSecurity(usePublicKeys: false) }

    func given(_ data: Data) { socket.security = SSLSecurity(certs: [SSLCert(data: data)], usePublicKeys: false) }
}
