package parts

import app.BuildConfig.NAMED_HOST

private const val ONE = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
private const val TWO = "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

class Parts {
    private val hosts = arrayOf("one.acme.example", "two.acme.example")
    private val (leaf, backup) = ONE to TWO
    fun pinner(): CertificatePinner {
        var builder = CertificatePinner.Builder()
        hosts.flatMap { host -> listOf(host to leaf, host to backup) }.forEach { (host, pin) -> builder = builder.add(host, pin) }
        return builder.build()
    }
    fun associated() = hosts.associateWith { listOf(leaf) }.entries.fold(CertificatePinner.Builder()) { builder, (host, pins) ->
        builder.add(host, *pins.toTypedArray())
    }.build()
}

fun named() = CertificatePinner.Builder().add(NAMED_HOST, ONE).build()

abstract class PinnedBase(private val host: String, private val pin: String) {
    fun pinner() = CertificatePinner.Builder().add(host, pin).build()
}
class PinnedApi : PinnedBase("base.acme.example", ONE)

data class Loose(var site: String, val pin: String)
fun loose(): CertificatePinner {
    val loose = Loose("loose.acme.example", ONE)
    loose.site = remoteHost()
    return CertificatePinner.Builder().add(loose.site, loose.pin).build()
}

class Two(private val host: String = "default.acme.example") {
    constructor(region: Int, more: Int) : this(hostOf(region, more))
    fun pinner() = CertificatePinner.Builder().add(host, ONE).build()
}
val two = Two(1, 2)

val trusted = HandshakeCertificates.Builder().addTrustedCertificate("""
    -----BEGIN CERTIFICATE-----MIIB-----END CERTIFICATE-----
""".trimIndent().decodeCertificatePem()).build()
