package app

import app.pins.Pins
import app.pins.Pins.ALL
import app.pins.Backend

fun pinner() = CertificatePinner.Builder()
    .add(Pins.HOST, Pins.LEAF)
    .add("www.acme.example", *ALL.toTypedArray())
    .add(Backend.LIVE.host, Backend.LIVE.pin)
    .build()
