/**
 * How much may be under way to a dialer at once: what a nearby one takes without becoming slower, and what is on its way there and back, by
 * Little's law. Over a long way most requests are on the road, not at work on the dialer.
 */

/** For a nearby dialer. More at once would make Asterisk slower, and an answered call should find a socket that no request to ring occupies. */
const near = { sockets: 4, dials: 3, soundSockets: 2 }
/** The maximum at any distance: Asterisk has a thread for each socket. */
const most = { sockets: 64, dials: 40, soundSockets: 16 }
/** More than a dialer of two cores is planned for (docs/operating/sizing.md), each with a request to ring, to play and to hang up. */
const callsPerSecond = 100
const requestsPerCall = 3

/** `roundTripMs`: of a request that waits for nothing. Null: not measured. */
export function underWay(roundTripMs: number | null): { sockets: number; dials: number; soundSockets: number } {
  const calls = Math.floor(((roundTripMs ?? 0) / 1000) * callsPerSecond)
  return {
    sockets: Math.min(most.sockets, near.sockets + calls * requestsPerCall),
    dials: Math.min(most.dials, near.dials + calls),
    soundSockets: Math.min(most.soundSockets, near.soundSockets + calls),
  }
}
