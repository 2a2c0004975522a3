import TrustKit

extension OwnSettings {
    static let trustKit: [String: Any] = [
        kTSKPinnedDomains: [ownHost: [kTSKPublicKeyHashes: [ownPin, "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]]]
    ]
}

func startOwnSettings() { TrustKit.initSharedInstance(withConfiguration: OwnSettings.trustKit) }

extension OtherSettings {
    static let trustKit: [String: Any] = [kTSKPinnedDomains: [ownHost: [kTSKPublicKeyHashes: [ownPin]]]]
}

func startOtherSettings() { TrustKit.initSharedInstance(withConfiguration: OtherSettings.trustKit) }

extension OwnSettings {
    static let computed: [String: Any] = [kTSKPinnedDomains: [computedHost: [kTSKPublicKeyHashes: [ownPin]]]]
}

func startComputedSettings() { TrustKit.initSharedInstance(withConfiguration: OwnSettings.computed) }
