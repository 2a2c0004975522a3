package import Hummingbird

/// What answers over HTTP for a drill, so that a browser, a UI test and a terminal see one state.
package struct ControlServer {
    package let router: Router<BasicRequestContext>

    package init() {
        router = Router()
        router.get("/health") { _, _ in "ok" }
    }
}
