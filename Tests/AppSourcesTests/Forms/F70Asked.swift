import Foundation

enum F70Security {
    static let usesKeys = true
    static var isEnabled = UserDefaults.standard.bool(forKey: "secure")
}

enum F70Kind {
    case certificate
    case key
}

// A switch of the app's own, whatever it is called.
final class F70Enabled: NSObject, URLSessionDelegate {
    private let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if F70Security.isEnabled {
            let isPinned = digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!) == key
            return completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
        }
        completionHandler(.performDefaultHandling, nil)
    }
}

// A constant decides.
final class F70Constant: NSObject, URLSessionDelegate {
    private let key = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if F70Security.usesKeys {
            let isPinned = digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!)!) == key
            return completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
        }
        completionHandler(.performDefaultHandling, nil)
    }
}

// Two comparisons, of which a case of an enum takes one; others may set it.
final class F70Ways: NSObject, URLSessionDelegate {
    var kind = F70Kind.certificate
    private let key = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let certificate = SecTrustGetCertificateAtIndex(challenge.protectionSpace.serverTrust!, 0)!
        if kind == .certificate {
            let own = Bundle.main.path(forResource: "kind", ofType: "cer")!
            let isPinned = SecCertificateCopyData(certificate) as Data == NSData(contentsOfFile: own)! as Data
            completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
        } else {
            let isPinned = digest(of: SecCertificateCopyKey(certificate)!) == key
            completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
        }
    }
}

// Nothing sets it.
final class F70Never: NSObject, URLSessionDelegate {
    private var session: URLSession!
    private var mode = F70Kind.certificate
    private let key = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let certificate = SecTrustGetCertificateAtIndex(challenge.protectionSpace.serverTrust!, 0)!
        if mode == .certificate {
            let own = Bundle.main.path(forResource: "never", ofType: "cer")!
            let isPinned = SecCertificateCopyData(certificate) as Data == NSData(contentsOfFile: own)! as Data
            completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
        } else {
            let isPinned = digest(of: SecCertificateCopyKey(certificate)!) == key
            completionHandler(isPinned ? .useCredential : .cancelAuthenticationChallenge, nil)
        }
    }
}
