#import "Again.h"

@implementation Again

- (void)once {
    AFHTTPSessionManager *manager = [AFHTTPSessionManager manager];
    NSData *data = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"one" ofType:@"cer"]];
    manager.securityPolicy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate withPinnedCertificates:[NSSet setWithObject:data]];
    if (self.isInternal) {
        manager.securityPolicy = [AFSecurityPolicy defaultPolicy];
    }
}

- (void)never {
    AFHTTPSessionManager *manager = [AFHTTPSessionManager manager];
    NSData *data = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"two" ofType:@"cer"]];
    AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate withPinnedCertificates:[NSSet setWithObject:data]];
    manager.securityPolicy = policy;
    [manager setSecurityPolicy:[AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeNone]];
}

- (void)eachWay {
    AFHTTPSessionManager *manager = [AFHTTPSessionManager manager];
    NSData *data = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"three" ofType:@"cer"]];
    if (self.isInternal) {
        manager.securityPolicy = [AFSecurityPolicy defaultPolicy];
    } else {
        manager.securityPolicy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate withPinnedCertificates:[NSSet setWithObject:data]];
    }
}

@end
