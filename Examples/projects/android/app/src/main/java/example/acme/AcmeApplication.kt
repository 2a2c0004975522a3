package example.acme

import android.app.Application
import okhttp3.CertificatePinner

class AcmeApplication : Application() {
    private val network by lazy { Network(this) }

    fun pinner(pins: List<String>): CertificatePinner = if (pins.isEmpty()) network.pinner() else network.remote(pins)
}
