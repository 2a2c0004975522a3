package example.acme

import android.app.Application

class AcmeApplication : Application() {
    val network by lazy { Network(this) }
}
