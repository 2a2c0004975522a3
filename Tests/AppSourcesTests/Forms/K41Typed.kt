package k41

import okhttp3.CertificatePinner

interface TypedSite {
    val host: String
    val pin: String
}

object TypedLive : TypedSite {
    override val host = "live.acme.example"
    override val pin = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
}

object TypedStage : TypedSite {
    override val host = "stage.acme.example"
    override val pin = "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
}

enum class TypedCase(val host: String, val pin: String) {
    PROD("prod.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="),
    TEST("test.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="),
}

class TypedClient(private val env: TypedSite) {
    private val fixed: TypedSite = TypedLive

    fun first() = CertificatePinner.Builder().add(env.host, env.pin).build()

    fun second() = CertificatePinner.Builder().add(fixed.host, fixed.pin).build()

    fun third(case: TypedCase) = CertificatePinner.Builder().add(case.host, case.pin).build()

    fun fourth(case: TypedCase) =
        if (case == TypedCase.PROD) CertificatePinner.Builder().add(case.host, case.pin).build() else null
}
