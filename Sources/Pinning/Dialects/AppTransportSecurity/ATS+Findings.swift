package import Foundation
import TLSCore

extension ATSConfiguration {
    package func ownFindings(at instant: Date) -> [PolicyFinding] { warnings }
}
