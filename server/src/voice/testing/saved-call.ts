import type { SavedCall } from '../model/calls/saved-call.ts'

/** A call in a menu, whose state is worth saving. */
export const savedCall: SavedCall = {
  flow: { at: 'asking', step: 1, menu: 0, rePrompts: 0, rungAgain: false },
  limitMs: 14_750,
  agent: null,
  patchBillMs: null,
  patchedTo: null,
  agentMissed: null,
  last: null,
  recordingId: null,
  notice: 'none',
  unheard: false,
  trail: { heard: [], answers: {}, playing: [], at: 1 },
  legs: [],
  seenAt: 2,
}
