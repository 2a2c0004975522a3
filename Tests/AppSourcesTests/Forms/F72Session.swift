import Foundation

// Its session is asked for one host alone.
final class F72One: NSObject, URLSessionDelegate {
    private let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private lazy var client = URLSession(configuration: .default, delegate: self, delegateQueue: nil)

    func load() {
        let start = "https://one.acme.example/list?page="
        client.dataTask(with: URL(string: start + "1")!) { _, _, _ in }.resume()
        var request = URLRequest(url: URL(string: "https://one.acme.example/item")!)
        request.httpMethod = "POST"
        client.dataTask(with: request) { _, _, _ in }.resume()
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isPinned = digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!) == key
        completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
    }
}

// For two.
final class F72Two: NSObject, URLSessionDelegate {
    private let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    func load() {
        let client = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
        client.dataTask(with: URL(string: "https://one.acme.example/")!) { _, _, _ in }.resume()
        client.dataTask(with: URL(string: "https://two.acme.example/")!) { _, _, _ in }.resume()
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isPinned = digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!) == key
        completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
    }
}

// For one, and whoever it is handed to.
final class F72Handed: NSObject, URLSessionDelegate {
    private let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    func load() {
        let client = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
        client.dataTask(with: URL(string: "https://one.acme.example/")!) { _, _, _ in }.resume()
        Images.load(client)
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isPinned = digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!) == key
        completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
    }
}

// For what its caller gives.
final class F72Given: NSObject, URLSessionDelegate {
    private let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    func load(_ url: URL) {
        let client = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
        client.dataTask(with: URL(string: "https://one.acme.example/")!) { _, _, _ in }.resume()
        client.dataTask(with: url) { _, _, _ in }.resume()
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let isPinned = digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!) == key
        completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
    }
}
