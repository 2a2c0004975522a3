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

    /// What a client that asked for `host` is to see; `nil` when no rule is for it, or minting failed.
    func choose(for host: String?) -> (identity: Identity?, epoch: Epoch) {
        let (source, epoch) = state.withLock { state -> (Presentation.Source?, Epoch) in
            let rules = state.presentation.rules
            guard let index = rules.firstIndex(where: { $0.pattern.matches(host) }) else { return (nil, state.epoch) }
            let turn = state.served[index, default: 0]
            state.served[index] = turn + 1
            switch rules[index].selection {
            case .always(let source): return (source, state.epoch)
            case .sequence(let sources): return (turn < sources.count ? sources[turn] : sources.last, state.epoch)
            }
        }
        switch source {
        case .identity(let identity): return (identity, epoch)
        case .minted(let minter): return (try? minter.identity(for: host ?? "localhost"), epoch)
        case nil: return (nil, epoch)
        }
    }
}
