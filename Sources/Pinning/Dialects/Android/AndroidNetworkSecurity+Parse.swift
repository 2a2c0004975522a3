package import Foundation

extension AndroidNetworkSecurity {
    /// Reads a file as AOSP's `XmlConfigSource` does, and refuses what that throws at.
    package init(
        parsing data: Data,
        file: String,
        device: Device = Device()
    ) throws(PolicyFileError) {
        let root = try MarkupElement(parsing: data, file: file)
        var reader = AndroidReader()
        var base: Settings?
        var configs: [DomainConfig] = []
        var debug: Settings?
        if root.name == AndroidReader.rootName {
            (base, configs, debug) = reader.read(root, isDebuggable: device.isDebuggable)
        } else {
            reader.refuse(root, "", "Unexpected start tag: found \(root.name), expected \(AndroidReader.rootName)")
        }
        guard reader.problems.isEmpty else { throw PolicyFileError(file: file, reader.problems) }
        self.init(base, configs, debug, device, notes: reader.notes, lines: reader.lines)
    }
}
