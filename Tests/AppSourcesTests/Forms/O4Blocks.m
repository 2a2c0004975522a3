// What stands in blocks, and in statements that are a value.
@implementation Blocks
+ (instancetype)shared {
    static Blocks *shared = nil;
    static dispatch_once_t once;
    dispatch_once(&once, ^{
        shared = [[Blocks alloc] init];
        [shared setSecurityPolicy:[AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey]];
    });
    return shared;
}
- (void)fill {
    self.manager = ({
        AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate];
        policy;
    });
}
+ (void)start {
    static NSArray *pins;
    static dispatch_once_t once;
    dispatch_once(&once, ^{
        pins = @[@"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", @"vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="];
    });
    void (^logger)(NSString *) = ^void(NSString *message) { NSLog(@"%@", message); };
    [TrustKit setLoggerBlock:logger];
    [TrustKit initSharedInstanceWithConfiguration:@{
        kTSKPinnedDomains: @{@"blocks.acme.example": @{kTSKPublicKeyHashes: pins}}
    }];
}
+ (AFSecurityPolicy *)late:(NSString *)path {
    AFSecurityPolicy *policy = [[AFSecurityPolicy alloc] init];
    [policy setSSLPinningMode:AFSSLPinningModeCertificate];
    [policy setPinnedCertificates:@[[NSData dataWithContentsOfFile:path]]];
    return policy;
}
- (BOOL)takes:(NSURLAuthenticationChallenge *)challenge {
    SecTrustRef serverTrust = challenge.protectionSpace.serverTrust;
    NSData *served = CFBridgingRelease(SecCertificateCopyData(SecTrustGetCertificateAtIndex(serverTrust, 0)));
    for (NSString *name in @[@"today", @"tomorrow"]) {
        NSString *path = [[NSBundle mainBundle] pathForResource:name ofType:@"cer"];
        if ([served isEqualToData:[NSData dataWithContentsOfFile:path]]) {
            NSLog(@"this is today.cer");
            return YES;
        }
    }
    return NO;
}
@end
