@implementation ACSelectors

- (void)viewDidLoad {
    self.known = [NSSet setWithArray:@[@"01 23 45 67 89 AB CD EF 01 23 45 67 89 AB CD EF 01 23 45 67"]];
}

- (void)connection:(NSURLConnection *)connection didReceiveAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge {
    if ([self isKnown:challenge.protectionSpace.serverTrust]) {
        [challenge.sender useCredential:self.credential forAuthenticationChallenge:challenge];
    }
}

- (BOOL) isKnown:(SecTrustRef)served {
    SecCertificateRef certificate = SecTrustGetCertificateAtIndex(served, 0);
    return [self.known containsObject:[self sha1:certificate]];
}

@end

@implementation ACGiven

- (instancetype)initWithCertPathOfPolicy:(NSString *)certPath {
    if (self = [super init]) {
        NSSet *given = [NSSet setWithObject:[NSData dataWithContentsOfFile:certPath]];
        self.securityPolicy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate withPinnedCertificates:given];
    }
    return self;
}

@end
