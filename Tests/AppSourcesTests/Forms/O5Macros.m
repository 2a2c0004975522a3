#define ACME_PIN @"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
#define ACME_SPARE @"vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
#define ACME_HOST @"macros.acme.example"

@implementation O5Macros
- (instancetype)init {
    if (self = [super init]) {
        [TrustKit initSharedInstanceWithConfiguration:@{
            kTSKPinnedDomains: @{ACME_HOST: @{kTSKPublicKeyHashes: @[ACME_PIN, ACME_SPARE], kTSKEnforcePinning: @(YES)}}
        }];
    }
    return self;
}
@end
