#import <TrustKit/TrustKit.h>

static NSString * const kBackup = @"vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=";
#define API_HOST @"api.acme.example"

@implementation AppDelegate

- (BOOL)application:(UIApplication *)application didFinishLaunchingWithOptions:(NSDictionary *)options {
    NSDictionary *configuration = @{
        kTSKSwizzleNetworkDelegates: @NO,
        kTSKPinnedDomains: @{
            API_HOST: @{
                kTSKEnforcePinning: @YES,
                kTSKPublicKeyHashes: @[@"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", kBackup],
            },
        },
    };
    [TrustKit initSharedInstanceWithConfiguration:configuration];
    return YES;
}

@end
