/** Browsers have passkeys at https, and on this machine. */
export const hasPasskeys = 'PublicKeyCredential' in window
