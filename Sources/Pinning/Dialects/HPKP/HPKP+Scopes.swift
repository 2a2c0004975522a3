import TLSCore

extension HPKP {
    package var scopes: [PinScope] {
        let list = PinScope.List(keys: keys)
        // What browsers never note holds for nobody.
        return [
            PinScope(
                host ?? "",
                written: [list],
                lists: canBeNoted ? [list] : [],
                failure: isReportOnly ? .report : .block
            )
        ]
    }

    package func scope(for host: String) -> PinScope? { covers(host) ? scopes.first : nil }
}
