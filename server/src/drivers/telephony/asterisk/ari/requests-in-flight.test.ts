import { expect, test } from 'vitest'
import { requestsInFlight } from './requests-in-flight.ts'

test.each([
  { why: 'before anything is measured', roundTripMs: null, sockets: 4, dials: 3, soundSockets: 2 },
  { why: 'next door', roundTripMs: 2, sockets: 4, dials: 3, soundSockets: 2 },
  { why: 'in the same country', roundTripMs: 20, sockets: 10, dials: 5, soundSockets: 4 },
  { why: 'overseas', roundTripMs: 130, sockets: 43, dials: 16, soundSockets: 15 },
  { why: 'at the end of the world', roundTripMs: 900, sockets: 64, dials: 40, soundSockets: 16 },
])('$why: what is on the road comes on top, within bounds', ({ roundTripMs, sockets, dials, soundSockets }) => {
  expect(requestsInFlight(roundTripMs)).toEqual({ sockets, dials, soundSockets })
})
