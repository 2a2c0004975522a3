public import Foundation
import TLSCore

extension ATSConfiguration {
    public func ownFindings(at instant: Date) -> [PolicyFinding] { warnings }
}
