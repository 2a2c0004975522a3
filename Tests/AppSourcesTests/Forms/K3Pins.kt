package app.pins

object Pins {
    const val HOST: String = "api.acme.example"
    const val LEAF = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    val ALL = listOf(LEAF, "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
}

enum class Backend(val host: String, val pin: String) {
    LIVE("live.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="),
    SPARE("spare.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=");

    fun describe() = host
}

data class HostPins(val host: String, val pins: List<String>)

infix fun String.pinnedBy(pins: List<String>): HostPins = HostPins(this, pins)

fun pinsOf(host: String, vararg pins: String) = HostPins(host, pins.toList())
