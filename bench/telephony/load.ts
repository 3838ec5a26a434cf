import { setTimeout as sleep } from 'node:timers/promises'

export type Load = {
  /** Path of the wav file; null: hang up on answer. */
  prompt: string | null
  perSecond: number
  inProgressMax: number
  callsMax: number
  /** No call starts after it has fired. */
  ending: AbortSignal
}

/** How many calls are being set up, and how many have not ended. */
export type Standing = { inSetUp: number; inProgress: number }

const pollMs = 2
const catchUpSeconds = 0.25
export const drainMs = 10_000

/** Starts calls as fast as set-ups complete, until the load ends; resolves when all calls have ended, or should have. */
export async function callOn(
  load: Load,
  of: { inSetUpMax: number; standing(): Standing; begin(number: string): void },
): Promise<void> {
  let due = 1
  let at = performance.now()
  for (let calls = 0; !load.ending.aborted && calls < load.callsMax;) {
    const now = performance.now()
    due = Math.min(due + ((now - at) / 1000) * load.perSecond, Math.max(1, load.perSecond * catchUpSeconds))
    at = now
    const { inSetUp, inProgress } = of.standing()
    const free = [of.inSetUpMax - inSetUp, load.inProgressMax - inProgress, load.callsMax - calls, Math.floor(due)]
    for (let room = Math.min(...free); room > 0; room--, calls++, due--) of.begin(`98${String(calls).padStart(8, '0')}`)
    await sleep(pollMs)
  }
  for (const until = performance.now() + drainMs; of.standing().inProgress > 0 && performance.now() < until;)
    await sleep(pollMs)
}
