/**
 * How many requests to a dialer may be open at once: what a nearby one takes without slowing down, plus what is in transit, by Little's law. Over a
 * long distance most requests are in transit and not at work on the dialer.
 */

/** For a nearby dialer. More would slow Asterisk down, and an answered call should find a socket that no request to ring occupies. */
const near = { sockets: 4, dials: 3, soundSockets: 2 }
/** The maximum at any distance: Asterisk has a thread for each socket. */
const most = { sockets: 64, dials: 40, soundSockets: 16 }
/** More than a dialer with two cores is planned for (docs/operating/sizing.md); each call has requests to ring, play and hang up. */
const callsPerSecond = 100
const requestsPerCall = 3

/** `roundTripMs`: of a request that Asterisk answers at once; null when not measured. */
export function requestsInFlight(roundTripMs: number | null): { sockets: number; dials: number; soundSockets: number } {
  const calls = Math.floor(((roundTripMs ?? 0) / 1000) * callsPerSecond)
  return {
    sockets: Math.min(most.sockets, near.sockets + calls * requestsPerCall),
    dials: Math.min(most.dials, near.dials + calls),
    soundSockets: Math.min(most.soundSockets, near.soundSockets + calls),
  }
}
