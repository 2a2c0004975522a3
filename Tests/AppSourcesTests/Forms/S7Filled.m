void pin(void) {
    NSMutableDictionary *domains = [NSMutableDictionary dictionary];
    domains[@"filled.acme.example"] = @{kTSKPublicKeyHashes : @[ @"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", @"vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=" ]};
    NSDictionary *configuration = @{kTSKPinnedDomains : domains};
    [TrustKit initSharedInstanceWithConfiguration:configuration];
}
