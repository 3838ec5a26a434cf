/** Browsers have passkeys at https, and on this machine. */
export const hasPasskeys = 'PublicKeyCredential' in window

/** An IP address has none, and the server would say so. */
export const offersPasskeys = hasPasskeys && !/^[\d.]+$|:/.test(location.hostname)
