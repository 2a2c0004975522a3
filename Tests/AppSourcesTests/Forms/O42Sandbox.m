#import <Foundation/Foundation.h>

@implementation SandboxSession

- (void)URLSession:(NSURLSession *)session
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
      completionHandler:(void (^)(NSURLSessionAuthChallengeDisposition, NSURLCredential *))completionHandler {
    SecTrustRef trust = challenge.protectionSpace.serverTrust;
    NSData *remote = CFBridgingRelease(SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0)));
    if ([remote isEqualToData:[NSData dataWithContentsOfFile:[self ownFile]]]) {
        completionHandler(NSURLSessionAuthChallengeUseCredential, [NSURLCredential credentialForTrust:trust]);
    } else {
        completionHandler(NSURLSessionAuthChallengeCancelAuthenticationChallenge, nil);
    }
}

- (NSString *)ownFile {
    if (self.sandboxed) {
        return [[NSBundle mainBundle] pathForResource:@"sandbox" ofType:@"cer"];
    } else {
        return [[NSBundle mainBundle] pathForResource:@"live" ofType:@"cer"];
    }
}

@end
