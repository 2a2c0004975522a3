package example.acme

import android.content.Context
import okhttp3.CertificatePinner

class Network(private val context: Context) {
    fun pinner(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        builder.add(context.getString(R.string.api_host), Pins.TODAY, BuildConfig.BACKUP_PIN)
        if (BuildConfig.DEBUG) {
            builder.add("stage.acme.example", Pins.TODAY)
        }
        return builder.build()
    }

    fun remote(pins: List<String>): CertificatePinner {
        val builder = CertificatePinner.Builder()
        for (pin in pins) builder.add("pay.acme.example", pin)
        return builder.build()
    }
}
