import Security

final class GuardedSessions {
    #if DEBUG
    let only = URLSession(configuration: .default, delegate: TwiceUsedDelegate(), delegateQueue: nil)
    #else
    let one = URLSession(configuration: .default, delegate: TwiceUsedDelegate(), delegateQueue: nil)
    let two = URLSession(configuration: .ephemeral, delegate: TwiceUsedDelegate(), delegateQueue: nil)
    #endif
}

private final class TwiceUsedDelegate: NSObject, URLSessionDelegate {
    let keys = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="]

    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        guard let trust = challenge.protectionSpace.serverTrust, let key = SecTrustCopyKey(trust) else { return false }
        if keys.contains(digest(of: key)) == false { return false }
        return true
    }
}

final class OverloadedDelegate: NSObject, URLSessionDelegate {
    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
        guard let trust = challenge.protectionSpace.serverTrust, let key = SecTrustCopyKey(trust),
            let wanted = OverloadedKeys.wanted(by: challenge.protectionSpace.host)
        else { return false }
        return wanted.contains(digest(of: key))
    }
}
