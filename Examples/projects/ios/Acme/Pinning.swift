import TrustKit

func startPinning() {
    TrustKit.initSharedInstance(withConfiguration: [
        kTSKSwizzleNetworkDelegates: false,
        kTSKPinnedDomains: [
            Pins.host: [
                kTSKEnforcePinning: true,
                kTSKIncludeSubdomains: true,
                kTSKPublicKeyHashes: [Pins.today, Pins.backup],
            ]
        ],
    ])
}
