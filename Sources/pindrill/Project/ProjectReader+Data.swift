import AppSources
import Scenarios

/// What stands for a property list in data: Expo's `app.json`, and the `project.yml` of a project's generator.
extension ProjectReader {
    mutating func readData(_ file: ProjectFolder.File) {
        let script = file.asData ?? asScript(file)
        let found = script.map(SourceReader(module).read) ?? []
        for one in found {
            take(one)
            digestsOfLines.formUnion(one.digests)
        }
        tables += found
        // YAML that speaks of pins is often no project's.
        guard found.isEmpty, file.asData != nil else { return }
        let reason = "its pinned domains are not understood"
        unread.append(.init(place: place(file.path, nil, "json"), hosts: [], reason: reason))
    }

    private func asScript(_ file: ProjectFolder.File) -> SourceModule.File? {
        let script = YAMLScript(String(decoding: file.bytes, as: UTF8.self), path: file.path)
        return script.map { .init(path: file.path, language: .script, text: $0.text) }
    }
}
