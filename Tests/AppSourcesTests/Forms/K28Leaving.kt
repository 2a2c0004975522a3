package k28

/** What leaves a function before its pinner, within another statement. */
class Leaving {
    fun nested(b: OkHttpClient.Builder): OkHttpClient {
        if (isDebug) {
            log("debug")
            if (isOpen) return b.build()
        }
        return b.certificatePinner(CertificatePinner.Builder().add("nested.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()).build()
    }

    fun cases(b: OkHttpClient.Builder): OkHttpClient {
        when (environment) {
            Env.DEBUG -> return b.build()
            Env.STAGE -> log("stage")
            else -> {}
        }
        return b.certificatePinner(CertificatePinner.Builder().add("cases.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()).build()
    }

    fun locked(b: OkHttpClient.Builder): OkHttpClient {
        synchronized(lock) {
            if (isDebug) return b.build()
            if (isIdle) return@synchronized
        }
        return b.certificatePinner(CertificatePinner.Builder().add("locked.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()).build()
    }

    fun tried(b: OkHttpClient.Builder) {
        try {
            if (isBroken) throw IllegalStateException()
            if (isDebug) return
            b.certificatePinner(CertificatePinner.Builder().add("tried.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
        } catch (e: Exception) {
            b.certificatePinner(CertificatePinner.Builder().add("caught.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
        }
    }

    fun rounds(builders: List<OkHttpClient.Builder>) {
        for (b in builders) {
            if (isOpen) continue
            b.certificatePinner(CertificatePinner.Builder().add("rounds.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
        }
    }

    fun behind(b: OkHttpClient.Builder) {
        for (name in names) {
            if (name.isEmpty()) break
            while (isWaiting) { if (isOver) break }
            if (isDebug) return
        }
        b.certificatePinner(CertificatePinner.Builder().add("behind.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
    }

    fun later(b: OkHttpClient.Builder) = b.apply {
        return@apply b.log(CertificatePinner.Builder().add("labelled.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
    }

    fun contrary(b: OkHttpClient.Builder) {
        if (isDebug) log("debug") else if (isStage) return else log("live")
        b.certificatePinner(CertificatePinner.Builder().add("contrary.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
    }
}
