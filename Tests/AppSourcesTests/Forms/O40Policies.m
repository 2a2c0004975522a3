#import <AFNetworking/AFNetworking.h>

@implementation OwnManager

- (void)use:(NSURL *)url {
    if ([url.host isEqualToString:@"api.acme.example"]) {
        [self setSecurityPolicy:[self policyWithFile:@"api"]];
    } else if ([url.host isEqualToString:@"www.acme.example"]) {
        [self setSecurityPolicy:[self policyWithFile:@"www"]];
    } else {
        AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey];
        [policy setValidatesDomainName:YES];
        self.securityPolicy = policy;
    }
}

- (AFSecurityPolicy *)policyWithFile:(NSString *)name {
    NSString *path = [[NSBundle mainBundle] pathForResource:name ofType:@"cer"];
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey];
    policy.pinnedCertificates = [NSSet setWithArray:@[[NSData dataWithContentsOfFile:path]]];
    return policy;
}

@end
