import Foundation

final class Screen: UIViewController {
    func load(isPinned: Bool) {
        let session = URLSession(configuration: .default, delegate: isPinned ? self : nil, delegateQueue: nil)
        session.dataTask(with: URL(string: "https://api.acme.example/")!).resume()
    }
}

extension Screen: URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let key = SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!
        if hash(of: key) == "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" {
            completionHandler(.useCredential, URLCredential(trust: challenge.protectionSpace.serverTrust!))
        } else {
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}

final class Other: NSObject, URLSessionDelegate {
    lazy var pinned = URLSession(configuration: .default, delegate: self, delegateQueue: nil)

    func load(isPinned: Bool) {
        let session = URLSession(configuration: .default, delegate: isPinned ? self : nil, delegateQueue: nil)
        session.dataTask(with: URL(string: "https://www.acme.example/")!).resume()
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let key = SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!
        if hash(of: key) == "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=" {
            completionHandler(.useCredential, URLCredential(trust: challenge.protectionSpace.serverTrust!))
        } else {
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}
