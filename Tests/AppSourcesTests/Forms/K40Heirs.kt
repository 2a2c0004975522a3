package k40

import okhttp3.CertificatePinner

/** A host of each heir, and a pin that one of them has in the place of the base's. */
abstract class HeirBase {
    abstract val ownHost: String
    open val ownPin: String = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    fun pinner() = CertificatePinner.Builder().add(ownHost, ownPin).build()
}

class HeirLive : HeirBase() {
    override val ownHost = "live.acme.example"
}

class HeirStage : HeirBase() {
    override val ownHost = "stage.acme.example"
    override val ownPin = "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
}

/** Its own function counts, too; the heir's is the base's and one more. */
open class HeirList {
    open fun listed() = listOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")

    fun pinner() = CertificatePinner.Builder().add("list.acme.example", *listed().toTypedArray()).build()
}

class HeirLonger : HeirList() {
    override fun listed() = super.listed() + "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
}

/** What a base is made with goes with the heir that makes it so. */
abstract class HeirGiven(private val givenHost: String) {
    abstract fun givenPin(): String

    fun pinner() = CertificatePinner.Builder().add(givenHost, givenPin()).build()
}

class HeirOne : HeirGiven("one.acme.example") {
    override fun givenPin() = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
}

class HeirTwo : HeirGiven("two.acme.example") {
    override fun givenPin() = "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
}

/** An object without a type of its own has another. */
open class HeirNameless {
    open fun host() = "named.acme.example"

    fun pinner() = CertificatePinner.Builder().add(host(), "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
}

val nameless = object : HeirNameless() {
    override fun host() = "nameless.acme.example"
}
