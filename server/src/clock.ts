/** The one source of the time of day. Leases are compared in the database, and waits use a monotonic clock: neither asks this. */
export type Clock = { now(): Date }
export const systemClock: Clock = { now: () => new Date() }
