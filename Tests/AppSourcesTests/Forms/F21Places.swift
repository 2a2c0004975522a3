import Alamofire

final class PlacesOfDelegates {
    lazy var session: URLSession = {
        #if DEBUG
        return URLSession(configuration: .default)
        #else
        return URLSession(configuration: .default, delegate: ReleaseDelegate(), delegateQueue: nil)
        #endif
    }()

    func make() -> Session {
        let manager = ServerTrustManager(evaluators: ["released.acme.example": PinnedCertificatesTrustEvaluator()])
        #if DEBUG
        return Session()
        #else
        return Session(serverTrustManager: manager)
        #endif
    }
}

private final class ReleaseDelegate: NSObject, URLSessionDelegate {
    let keys = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust, let key = SecTrustCopyKey(trust),
            keys.contains(digest(of: key))
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}
