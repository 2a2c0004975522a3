package callers

private const val PINS = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

fun onlyHelper(host: String, vararg pins: String) = CertificatePinner.Builder().add(host, *pins).build()
val called = onlyHelper("called.acme.example", PINS, "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")

fun twiceHelper(host: String) = CertificatePinner.Builder().add(host, PINS).build()
val first = twiceHelper("first.acme.example")
val second = twiceHelper("second.acme.example")

fun usualHelper(host: String = "usual.acme.example", backup: String = "", isOn: Boolean = true): CertificatePinner {
    val builder = CertificatePinner.Builder().add(host, PINS)
    if (backup.isNotEmpty()) builder.add(host, backup)
    if (isOn) builder.add("on.acme.example", PINS)
    return builder.build()
}

class CallersClient(private val host: String, private val pins: Map<String, String>) {
    fun pinner(): CertificatePinner = CertificatePinner.Builder().apply {
        val isReal = { pin: String -> pin.startsWith("sha256/") }
        (pins + mapOf(host to PINS)).forEach { (name, pin) -> if (isReal(pin)) add(name, pin) }
    }.build()
}
val client = CallersClient(host = "made.acme.example", pins = mapOf("given.acme.example" to PINS))

fun handedOn(host: String) = CertificatePinner.Builder().add(host, PINS).build()
val reference = ::handedOn
val direct = handedOn("direct.acme.example")

fun overloaded(host: String) = overloaded(host, PINS)
fun overloaded(host: String, pin: String) = CertificatePinner.Builder().add(host, pin).build()
val overload = overloaded("overload.acme.example")

class Overloads private constructor() {
    companion object {
        fun create(host: String = "usual.acme.example", pin: String) = CertificatePinner.Builder().add(host, pin).build()
        fun create(host: String) = create(host, PINS)
    }
}
val byPin = Overloads.create(pin = "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
val byHost = Overloads.create("byhost.acme.example")

fun chosenHelper(host: String) = CertificatePinner.Builder().add(host, PINS).build()
fun chosen() = if (BuildConfig.DEBUG) chosenHelper("trial.acme.example") else chosenHelper("live.acme.example")
