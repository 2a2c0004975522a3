import Pinning

extension Dialect {
    /// Whether a setting of the device means something for it: in a project, each is for some of the configurations.
    func knowsSetting(_ text: String) -> Bool {
        let name = text.prefix { $0 != "=" }
        return switch self {
        case .trustkit: name == "mac"
        case .android, .trustkitAndroid: name != "mac"
        case .okhttp: name == "target-sdk"
        case .ats, .alamofire, .delegate, .publicKeyPinning, .curl, .fingerprint, .callback, .hpkp, .chromium,
            .afnetworking, .electron:
            false
        }
    }
}
