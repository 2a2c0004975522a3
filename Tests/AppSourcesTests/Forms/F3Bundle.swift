import Alamofire

let manager = ServerTrustManager(evaluators: ["api.acme.example": PublicKeysTrustEvaluator()])
