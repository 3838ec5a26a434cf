/**
 * How much may be under way to a dialer at once: what one next door takes without becoming slower, and what is on its way there and back, by
 * Little's law. It is not what the dialer works at: over a long way most of it is on the road.
 */

/** Next door: more at once make Asterisk slower, not faster. Who has answered finds a socket that no call to be rung is in the way of. */
const near = { sockets: 4, dials: 3, soundSockets: 2 }
/** However far: Asterisk has a thread for each socket. */
const most = { sockets: 64, dials: 40, soundSockets: 16 }
/** More than a dialer of two cores is planned for (docs/operating/sizing.md), each with a request to ring, to play and to hang up. */
const callsPerSecond = 100
const requestsPerCall = 3

/** `roundTripMs`: a request's that waits for nothing; null: not measured. */
export function underWay(roundTripMs: number | null): { sockets: number; dials: number; soundSockets: number } {
  const calls = Math.floor(((roundTripMs ?? 0) / 1000) * callsPerSecond)
  return {
    sockets: Math.min(most.sockets, near.sockets + calls * requestsPerCall),
    dials: Math.min(most.dials, near.dials + calls),
    soundSockets: Math.min(most.soundSockets, near.soundSockets + calls),
  }
}
