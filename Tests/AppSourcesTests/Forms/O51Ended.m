#import <AFNetworking/AFNetworking.h>

@implementation EndedManager

+ (void)secure:(AFHTTPSessionManager *)manager {
    NSData *data = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"ended" ofType:@"cer"]];
    if (![[self nameOf:data] isEqualToString:@"ended"]) {
        exit(-1);
    }
    manager.securityPolicy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey withPinnedCertificates:[NSSet setWithObject:data]];
}

+ (void)secureUnlessLocal:(AFHTTPSessionManager *)manager {
    NSData *data = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"left" ofType:@"cer"]];
    if (Settings.isLocal) {
        return;
    }
    manager.securityPolicy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey withPinnedCertificates:[NSSet setWithObject:data]];
}

@end
