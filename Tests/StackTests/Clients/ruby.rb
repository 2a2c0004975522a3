# Ruby's Net::HTTP: one server a line, "port host anchors pin instant", and one answer a line.
require "net/http"
require "openssl"

$stdout.sync = true
while (line = $stdin.gets)
  port, host, anchors = line.split
  http = Net::HTTP.new(host, port.to_i, nil)
  http.ipaddr = "127.0.0.1"
  http.use_ssl = true
  http.ca_file = anchors
  http.open_timeout = http.ssl_timeout = 20
  begin
    http.start {}
    puts "accept"
  rescue OpenSSL::SSL::SSLError => error
    puts "reject #{error.message.split.join(" ")}"
  rescue StandardError => error
    puts "fail #{error.message.split.join(" ")}"
  end
end
