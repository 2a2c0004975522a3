internal import CEmbedded
package import Hummingbird

/// What answers over HTTP for a drill, so that a browser, a UI test and a terminal see one state.
package struct ControlServer {
    package let router: Router<BasicRequestContext>

    package init() {
        router = Router()
        router.get("/health") { _, _ in "ok" }
        router.get("/openapi.json") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: Self.document))
            )
        }
    }

    /// What is answered, as an OpenAPI document.
    package static var document: [UInt8] {
        let file = CEmbeddedOpenAPI()
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}
