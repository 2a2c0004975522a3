import Alamofire

class ContainsTrustManager: ServerTrustManager {
    override func serverTrustEvaluator(forHost host: String) throws -> ServerTrustEvaluating? {
        if host.contains("acme.example") {
            return PublicKeysTrustEvaluator()
        }
        return DefaultTrustEvaluator()
    }
}
