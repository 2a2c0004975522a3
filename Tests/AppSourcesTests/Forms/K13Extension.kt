package k13

fun pinner() = CertificatePinner.Builder().addOwnPins().build()

fun handed(): CertificatePinner {
    val builder = CertificatePinner.Builder()
    Helpers.fill(builder, "handed.acme.example")
    return builder.build()
}
