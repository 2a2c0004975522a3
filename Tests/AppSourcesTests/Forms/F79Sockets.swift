import SocketRocket

final class F79Sockets {
    func open(_ request: NSMutableURLRequest) {
        let file = Bundle.main.url(forResource: "rocket", withExtension: "der")!
        let data = try! Data(contentsOf: file)
        request.sr_SSLPinnedCertificates = [SecCertificateCreateWithData(nil, data as CFData)!]
        SRWebSocket(urlRequest: request as URLRequest).open()
    }
}
