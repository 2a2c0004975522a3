package app

val known = CertificatePinner.Builder().add("api.acme.example", BuildConfig.PIN_NEW).build()
val several = CertificatePinner.Builder().add("api.acme.example", BuildConfig.FLAVOUR_PIN).build()
val unknown = CertificatePinner.Builder().add(URI(BuildConfig.API_URL).host, *BuildConfig.PINS).build()
