// Conditions of the build around what calls a method, and in words.
@implementation Builds
- (void)app {
#ifndef DEBUG
    [self setUpPins];
#endif
}

- (void)setUpPins {
    [TrustKit initSharedInstanceWithConfiguration:@{kTSKPinnedDomains: @{@"called.acme.example": @{kTSKPublicKeyHashes: @[@"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", @"vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]}}}];
}

- (void)words {
#if defined(RELEASE) && !defined(QA)
    [TrustKit initSharedInstanceWithConfiguration:@{kTSKPinnedDomains: @{@"defined.acme.example": @{kTSKPublicKeyHashes: @[@"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", @"vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]}}}];
#endif
}
@end
