@implementation ACConditions

- (void)apply:(NSString *)url {
    if ([url containsString:@"api.acme"]) {
        AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate];
        NSString *path = [[NSBundle mainBundle] pathForResource:@"acme" ofType:@"cer"];
        if (path) {
            policy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
        }
        self.manager.securityPolicy = policy;
    }
}

- (AFSecurityPolicy *)idle {
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeNone];
    NSData *data = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"spare" ofType:@"cer"]];
    policy.pinnedCertificates = [NSSet setWithObject:data];
    return policy;
}

@end
