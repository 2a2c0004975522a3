@implementation ACGives

+ (void)start {
    NSString *path = [[NSBundle mainBundle] pathForResource:@"given" ofType:@"cer"];
    NSString *identity = [[NSBundle mainBundle] pathForResource:@"client" ofType:@"p12"];
    [ACManager setDefault:[[ACGiven alloc] initWithCertPathOfPolicy:path]];
}

@end
