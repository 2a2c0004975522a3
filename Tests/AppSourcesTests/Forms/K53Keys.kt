package k53

// A table that is asked for hosts of which only the app knows which they are.
fun k53(settings: Settings) = CertificatePinner.Builder().apply {
    setOf(settings.first, settings.second).forEach { host -> k53Pins[host]?.let { pin -> add(host, pin) } }
}.build()

val k53Pins = mapOf(
    "one.acme.example" to "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=",
    "two.acme.example" to "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
)

fun k53NotNull() = CertificatePinner.Builder().apply {
    listOfNotNull("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", null).forEach { add("three.acme.example", it) }
}.build()
