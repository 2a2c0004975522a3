package k42

import okhttp3.CertificatePinner as Pinning
import k42.other.TABLE_HOST as OTHER_HOST

/** What is added behind `build()` is not in what was built. */
fun behind(): Pinning {
    val builder = Pinning.Builder().add("first.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
    val built = builder.build()
    builder.add("second.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
    return built
}

/** Texts and tables that are put together. */
fun put() = Pinning.Builder()
    .apply {
        val text = StringBuilder("sha256/")
        text.append("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
        add("text.acme.example", text.toString(), buildString { append("sha256/"); append("vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=") })
        sites.groupBy({ it.host }, { it.pin }).forEach { (host, pins) -> add(host, *pins.toTypedArray()) }
        for ((host, pin) in sites) add("again." + host, pin)
    }
    .build()

data class BuiltSite(val host: String, val pin: String)

private val sites = listOf(BuiltSite("site.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="), BuiltSite("site.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="))

/** Another source fills the one, and none the other. */
object BuiltTable {
    val filled = mutableListOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
    val alone = mutableListOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
}

fun filled() = Pinning.Builder().apply { BuiltTable.filled.forEach { add(OTHER_HOST, it) } }.build()

fun alone() = Pinning.Builder().apply { BuiltTable.alone.forEach { add(OTHER_HOST, it) } }.build()
