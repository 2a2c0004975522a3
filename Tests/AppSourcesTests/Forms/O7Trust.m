@implementation ACTrust

- (void)socket:(GCDAsyncSocket *)socket didReceiveTrust:(SecTrustRef)trust
    completionHandler:(void (^)(BOOL shouldTrustPeer))handler {
    NSData *server = (__bridge_transfer NSData *)SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0));
    NSString *path = [[NSBundle mainBundle] pathForResource:@"peer" ofType:@"cer"];
    handler([server isEqualToData:[NSData dataWithContentsOfFile:path]]);
}

@end

@implementation ACModes

- (void)apply {
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeNone];
    policy.SSLPinningMode = AFSSLPinningModePublicKey;
    NSString *path = [[NSBundle mainBundle] pathForResource:@"later" ofType:@"cer"];
    policy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
    self.manager.securityPolicy = policy;
}

@end
