#import "AppDelegate.h"

@implementation Words

- (void)start {
    if (certPinningOn) {
        [TrustKit initSharedInstanceWithConfiguration:@{ kTSKPinnedDomains: @{ @"words.acme.example": @{
            kTSKDisableDefaultReportUri: @YES, kTSKPublicKeyHashes: @[@"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", @"vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="] } } }];
    }
}

@end
