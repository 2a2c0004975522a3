#import <TrustKit/TrustKit.h>

@implementation Pinning

- (void)initialize:(NSDictionary *)options {
    NSMutableDictionary *configuration = [NSMutableDictionary dictionary];
    [configuration setObject:options forKey:kTSKPinnedDomains];
    [TrustKit initSharedInstanceWithConfiguration:configuration];
}

@end
