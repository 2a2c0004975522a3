final interceptors = [
  if (flavour == Flavour.uat)
    CertificatePinningInterceptor(
      allowedSHAFingerprints: ["AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12:AB:12"],
    )
  else
    CertificatePinningInterceptor(
      allowedSHAFingerprints: [
        for (final print in ["CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34:CD:34"]) print,
      ],
    ),
];
