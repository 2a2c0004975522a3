#import <AFNetworking/AFNetworking.h>

@implementation UnusedManager

- (AFSecurityPolicy *)unusedOwnPolicy {
    NSString *path = [[NSBundle mainBundle] pathForResource:@"unused" ofType:@"cer"];
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey];
    policy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
    return policy;
}

- (AFSecurityPolicy *)usedOwnPolicy {
    NSString *path = [[NSBundle mainBundle] pathForResource:@"used" ofType:@"cer"];
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey];
    policy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
    return policy;
}

- (void)start {
    self.manager.securityPolicy = [self usedOwnPolicy];
}

@end
