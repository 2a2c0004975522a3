package app

class Screen : Activity() {
    fun pinner() = CertificatePinner.Builder()
        .add(getString(R.string.api_host), resources.getString(R.string.api_pin), getString(R.string.other_pin))
        .build()
}
