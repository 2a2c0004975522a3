public import Foundation
public import TLSCore

extension ATSConfiguration {
    public func ownFindings(at instant: Date, knownChain: [Certificate]) -> [Finding] { warnings }
}
