import https from 'https';

export abstract class Server {
  abstract serverUrl: string;
  abstract ownFingerprint: string;

  agent() {
    return new https.Agent({
      checkServerIdentity: (host, certificate) =>
        certificate.fingerprint256 === this.ownFingerprint ? undefined : new Error('another certificate'),
    });
  }
}
