package example.acme

object Pins {
    const val TODAY = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
}
