package import Pinning

/// Which versions of an app are in use, and what each is built to demand.
package struct Fleet: Sendable {
    package struct Version: Sendable {
        /// As usage data call it; `*` and `?` stand for any characters.
        package var name: String
        /// What it does with a server.
        package var rules: any PinRules
        package var released: Day?
        /// People, or a share, where there are no usage data.
        package var weight: Double?

        package init(name: String, rules: any PinRules, released: Day? = nil, weight: Double? = nil) {
            self.name = name
            self.rules = rules
            self.released = released
            self.weight = weight
        }
    }

    /// How `weight` is meant.
    package enum Weight: Sendable { case users, shares }

    /// The host that the app asks for.
    package var host: String
    /// In file order, which is taken to be the order of release where no days are given.
    package var versions: [Version]
    /// The file with how many use which version on which day; `nil`: each version says it for today.
    package var usage: String?
    package var weight: Weight

    package init(host: String, versions: [Version], usage: String? = nil, weight: Weight = .users) {
        self.host = host
        self.versions = versions
        self.usage = usage
        self.weight = weight
    }
}
