/** The purposes that sealed secrets are bound to (secrets.ts); the engine opens them with the same ones. */
export const ariSecretPurpose = 'dialer.ari_secret'
export const sipSecretPurpose = 'trunk.sip_secret'
