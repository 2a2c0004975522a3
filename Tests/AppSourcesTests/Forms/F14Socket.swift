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

// A field that is used under a condition, and SwiftHTTP.
final class F14Field {
    private let security: SSLSecurity

    init() {
        let data = try! Data(contentsOf: Bundle.main.url(forResource: "field", withExtension: "der")!)
        security = SSLSecurity(certs: [SSLCert(data: data)], usePublicKeys: false)
    }

    func connect(_ socket: WebSocket) {
        if !Server.isOwn { socket.security = security }
        socket.connect()
    }
}

func f14(_ request: HTTPTask) {
    if Server.trustsAll {
        request.auth = { URLCredential(trust: $0) }
    } else {
        let path = Bundle.main.path(forResource: "task", ofType: "cer")!
        request.security = HTTPSecurity(certs: [HTTPSSLCert(data: NSData(contentsOfFile: path)!)], usePublicKeys: true)
    }
}
