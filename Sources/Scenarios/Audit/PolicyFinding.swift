public import Pinning

public typealias PolicyFinding = Pinning.Finding
