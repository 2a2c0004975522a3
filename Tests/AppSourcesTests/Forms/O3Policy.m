// AFNetworking's policies.
@implementation Policies
+ (AFSecurityPolicy *)own {
    NSString *path = [[NSBundle mainBundle] pathForResource:@"acme" ofType:@"cer"];
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate];
    policy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
    return policy;
}
+ (AFSecurityPolicy *)bundle {
    return [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey];
}
+ (AFSecurityPolicy *)given:(NSString *)path {
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate];
    policy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
    return policy;
}
+ (AFSecurityPolicy *)none {
    return [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeNone];
}
@end
