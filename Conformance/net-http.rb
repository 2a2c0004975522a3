# Asks a server whose key must be pinned, with Ruby's Net::HTTP: net-http.rb URL ENDPOINT TRUST [PINS]
require "net/http"
require "openssl"

url, endpoint, trust, pins = ARGV
uri = URI(url)
http = Net::HTTP.new(uri.host, uri.port, nil)
http.ipaddr = endpoint.split(":").first
http.use_ssl = true
http.ca_file = trust
if pins
  # Called for each certificate of the verified path, the leaf last.
  http.verify_callback = lambda do |verified, store|
    next verified unless verified && store.error_depth.zero?
    hash = OpenSSL::Digest.digest("SHA256", store.current_cert.public_key.public_to_der)
    pins.include?("sha256//" + [hash].pack("m0")) || (warn "pin mismatch"; false)
  end
end
http.start { http.get(uri.request_uri) }.value
