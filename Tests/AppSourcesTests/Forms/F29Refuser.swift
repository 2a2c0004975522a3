import Alamofire

final class RefusingTrustManager: ServerTrustManager {
    override func serverTrustEvaluator(forHost host: String) throws -> ServerTrustEvaluating? {
        guard let evaluator = try super.serverTrustEvaluator(forHost: host) else {
            throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: host))
        }
        return evaluator
    }
}

let refusing = Session(serverTrustManager: RefusingTrustManager(evaluators: [:]))
let open = Session(serverTrustManager: ServerTrustManager(evaluators: [:]))
