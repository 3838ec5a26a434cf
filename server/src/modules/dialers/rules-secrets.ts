/** The purposes that sealed secrets are bound to (secrets.ts); the engine unseals them with the same purposes. */
export const ariSecretPurpose = 'dialer.ari_secret'
export const sipSecretPurpose = 'trunk.sip_secret'
