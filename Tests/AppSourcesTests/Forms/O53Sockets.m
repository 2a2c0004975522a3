#import "O53Sockets.h"

@implementation O53Sockets

+ (void)connect {
    NSMutableURLRequest *request = [[NSMutableURLRequest alloc] initWithURL:[self url]];
    NSString *path = [[NSBundle mainBundle] pathForResource:@"socket" ofType:@"cer"];
    CFDataRef data = (__bridge CFDataRef)[NSData dataWithContentsOfFile:path];
    id certificate = (__bridge_transfer id)SecCertificateCreateWithData(NULL, data);
    if (Settings.usesOwnServer) {
        [request setSR_SSLPinnedCertificates:@[certificate]];
    }
    [[[SRWebSocket alloc] initWithURLRequest:request] open];
}

+ (void)connectWith:(NSArray *)certificates {
    NSMutableURLRequest *request = [[NSMutableURLRequest alloc] initWithURL:[self url]];
    request.SR_SSLPinnedCertificates = certificates;
    [[[SRWebSocket alloc] initWithURLRequest:request] open];
}

+ (NSMutableURLRequest *)plain:(NSMutableURLRequest *)request {
    request.SR_SSLPinnedCertificates = nil;
    NSLog(@"%@", request.SR_SSLPinnedCertificates);
    return request;
}

@end
