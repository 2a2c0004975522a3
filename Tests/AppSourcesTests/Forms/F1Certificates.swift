import Alamofire

enum Certs {
    static let acme = certificate("acme")

    private static func certificate(_ name: String) -> SecCertificate {
        let path = Bundle.main.path(forResource: name, ofType: "cer")!
        let data = try! Data(contentsOf: URL(fileURLWithPath: path))
        return SecCertificateCreateWithData(nil, data as CFData)!
    }

    static let spare: SecCertificate = {
        guard let url = Bundle.main.url(forResource: "spare", withExtension: "der") else { fatalError("no file") }
        return SecCertificateCreateWithData(nil, try! Data(contentsOf: url) as CFData)!
    }()
}
