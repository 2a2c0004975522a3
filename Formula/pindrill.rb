# Nobody has run it yet. OWNER is the account that the repository belongs to; the release workflow writes it in.
class Pindrill < Formula
  desc "Tries whether a TLS client obeys its pins"
  homepage "https://github.com/OWNER/pindrill"
  url "https://github.com/OWNER/pindrill.git", tag: "v0.1.0"
  license "Apache-2.0"
  head "https://github.com/OWNER/pindrill.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "openssl@3"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "pindrill"
    bin.install ".build/release/pindrill"
    generate_completions_from_executable(bin/"pindrill", "--generate-completion-script")
    man1.mkpath
    system "#{bin}/pindrill --experimental-dump-help | Scripts/distribution/manual #{time.to_i} >#{man1}/pindrill.1"
  end

  test do
    assert_match "0 failed, 0 inconclusive", shell_output("#{bin}/pindrill run --client reference")
  end
end
