/** A trunk has no more hosts, also where DNS names more. */
export const hostsMax = 8

/** Q.850 (recovery on expiry of a timer): the cause of channels that the dialer ended because the far end replied nothing at all. */
export const silentCause = 102
