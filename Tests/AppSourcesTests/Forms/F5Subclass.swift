import Alamofire

final class Manager: ServerTrustManager {
    override func serverTrustEvaluator(forHost host: String) throws -> ServerTrustEvaluating? {
        host.contains("acme") ? PublicKeysTrustEvaluator() : nil
    }
}
