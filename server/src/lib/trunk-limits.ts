/** A trunk has no more hosts, also where DNS names more. */
export const hostsMax = 8

/** Whether a call that these hosts of its trunk did not carry, and the one that it is at, may go on at another. */
export const mayTryNextHost = (notHosts: readonly string[]): boolean => notHosts.length < hostsMax - 1

/** Q.850 (recovery on expiry of a timer): the cause of channels that the dialer ended because the far end replied nothing at all. */
export const silentCause = 102
