package handed

private const val ONE = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
private const val TWO = "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

data class HandedPin(val pattern: String, val pins: List<String>)
data class Setup(val name: String, val pin: HandedPin? = null)

fun folded(all: List<HandedPin>) = all.fold(CertificatePinner.Builder()) { builder, pin ->
    builder.add(pin.pattern, *pin.pins.toTypedArray())
}.build()
val foldedPinner = folded(listOf(HandedPin("folded.acme.example", listOf(ONE, TWO))))

object Setups {
    val TRIAL = Setup("trial")
    val LIVE = Setup("live", HandedPin("let.acme.example", listOf(ONE)))
}
class LetClient(private val setup: Setup) {
    fun pinner(client: Client) {
        setup.pin?.let { pin ->
            client.pinner(CertificatePinner.Builder().apply { pin.pins.forEach { add(pin.pattern, it) } }.build())
        }
    }
}
val letClient = LetClient(if (isTrial) Setups.TRIAL else Setups.LIVE)

sealed class Server(val host: String, val pins: List<String>) {
    object Live : Server("sealed.acme.example", listOf(ONE))
    object Trial : Server("trial.acme.example", listOf(TWO))
}
class SealedClient(private val server: Server = Server.Live) {
    fun pinner() = CertificatePinner.Builder().apply {
        server.pins.forEachIndexed { index, pin -> add(server.host, pin) }
    }.build()
}

fun skipping(): CertificatePinner {
    val builder = CertificatePinner.Builder()
    for ((host, pin) in mapOf("kept.acme.example" to ONE, "skipped.acme.example" to null)) {
        if (pin == null) continue
        builder.add(host, pin)
    }
    return builder.build()
}

fun unknownCloser(): CertificatePinner = CertificatePinner.Builder().apply {
    measured("pins") { add("measured.acme.example", ONE) }
}.build()

class Aliased {
    private val list = mutableListOf(ONE)
    private val same = list
    init { same.add(TWO) }
    fun pinner() = CertificatePinner.Builder().add("aliased.acme.example", *list.toTypedArray()).build()
}

fun addTo(some: MutableList<String>) { some.add(TWO) }
fun filledElsewhere(): CertificatePinner {
    val list = mutableListOf(ONE)
    addTo(list)
    return CertificatePinner.Builder().add("filled.acme.example", *list.toTypedArray()).build()
}
