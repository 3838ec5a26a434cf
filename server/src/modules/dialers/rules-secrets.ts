/** What sealed secrets of lines are bound to (secrets.ts): the engine opens them with the same words. */
export const ariSecretPurpose = 'dialer.ari_secret'
export const sipSecretPurpose = 'trunk.sip_secret'
