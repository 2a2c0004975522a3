const hosts = { main: "common.acme.example" };
module.exports = { hosts, address: "https://common.acme.example/v1", digest: "AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD:AB:CD" };
