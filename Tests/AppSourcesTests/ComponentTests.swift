import Testing

@testable import AppSources

/// What of a component of Vue or Svelte is code.
@Suite struct `Components` {
    @Test(arguments: [
        ("<template>a</template>\n<script setup lang=\"ts\">\na < b\n</script>\n<p>c</p>", "\n\na < b\n\n"),
        ("<!-- <script>a</script> -->\n<SCRIPT>b</SCRIPT>", "\nb"),
        ("<!--\n<p> -->\n<script>a</script><script>b</script>", "\n\nab"),
        // What is cut off, and what only begins like it.
        ("<script\n>a\n<b", "\na\n<b"), ("<script", ""), ("<p>a</p>\n", "\n"), ("<scripted>a</scripted>", ""),
        ("<script>a = '<!--'; b</script>", "a = '<!--'; b"),
    ])
    func `are read by what stands in their scripts, on its own lines`(text: String, code: String) {
        #expect(SourceLanguage.code(of: text, fileName: "Home.vue") == code)
        #expect(SourceLanguage.code(of: text, fileName: "Home.ts") == text)
    }
}
