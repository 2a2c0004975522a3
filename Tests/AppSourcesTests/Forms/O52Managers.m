#import <AFNetworking/AFNetworking.h>

@implementation ACManagers

- (AFHTTPSessionManager *)own {
    AFHTTPSessionManager *manager = [AFHTTPSessionManager manager];
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey];
    [policy setValidatesDomainName:YES];
    manager.securityPolicy = policy;
    NSString *path = [[NSBundle mainBundle] pathForResource:@"managed" ofType:@"cer"];
    manager.securityPolicy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
    return manager;
}

- (AFHTTPSessionManager *)byMessage {
    AFHTTPSessionManager *manager = [AFHTTPSessionManager manager];
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate];
    [manager setSecurityPolicy:policy];
    NSString *path = [[NSBundle mainBundle] pathForResource:@"sent" ofType:@"cer"];
    [manager.securityPolicy setPinnedCertificates:[NSSet setWithObject:[NSData dataWithContentsOfFile:path]]];
    return manager;
}

- (AFHTTPSessionManager *)besideAnother:(AFHTTPSessionManager *)other {
    AFHTTPSessionManager *manager = [AFHTTPSessionManager manager];
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey];
    manager.securityPolicy = policy;
    NSString *path = [[NSBundle mainBundle] pathForResource:@"other" ofType:@"cer"];
    other.securityPolicy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
    return manager;
}

@end
