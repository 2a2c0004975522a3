import Synchronization
import TLSCore

/// The presentation in force, and who has seen how much of it.
///
/// It may be changed from any thread: a ClientHello that is read after `present` has returned sees the new one.
final class Presenter: Sendable {
    private struct State {
        var epoch: Epoch
        var presentation: Presentation
        /// How many connections each rule has served in this epoch, by the rule's index.
        var served: [Int: Int] = [:]
    }

    private let state: Mutex<State>

    init(_ presentation: Presentation) {
        state = Mutex(State(epoch: Epoch(0), presentation: presentation))
    }

    var epoch: Epoch { state.withLock(\.epoch) }

    func present(_ presentation: Presentation) -> Epoch {
        state.withLock { state in
            state = State(epoch: state.epoch.next(), presentation: presentation)
            return state.epoch
        }
    }

    /// What one client is to see.
    struct Choice {
        /// `nil` when no rule is for its host, or minting failed.
        var identity: Identity?
        /// `nil`: any that the proxy speaks.
        var version: TLSVersion?
        var epoch: Epoch
    }

    /// What a client that asked for `host` is to see.
    func choose(for host: String?) -> Choice {
        let (source, version, epoch) = state.withLock { state -> (Presentation.Source?, TLSVersion?, Epoch) in
            let rules = state.presentation.rules
            let (version, epoch) = (state.presentation.version, state.epoch)
            guard let index = rules.firstIndex(where: { $0.pattern.matches(host) }) else {
                return (nil, version, epoch)
            }
            let turn = state.served[index, default: 0]
            state.served[index] = turn + 1
            switch rules[index].selection {
            case .always(let source): return (source, version, epoch)
            case .sequence(let sources): return (turn < sources.count ? sources[turn] : sources.last, version, epoch)
            }
        }
        let identity: Identity? =
            switch source {
            case .identity(let identity): identity
            case .minted(let minter): try? minter.identity(for: host ?? "localhost")
            case nil: nil
            }
        return Choice(identity: identity, version: version, epoch: epoch)
    }
}
