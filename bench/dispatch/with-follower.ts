/**
 * What insight's follower costs the engine while both run. Rounds with the follower, in a process of its own, take turns with rounds without
 * it, in one run, because the rates of two runs differ by more than the follower costs. A round is a fixed number of calls, from standstill
 * to standstill: a saturated engine begins and settles calls in bursts of two to four seconds, so that windows of time would count different
 * numbers of bursts.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareEnvironment } from '@ghanti/server/testing/processes/own-process.ts'
import type { Pool } from 'pg'
import { smallest, within } from '../bench.ts'

/** Pairs of rounds, and the seconds that each should take without the follower. */
export const followerRounds = smallest ? { pairs: 1, seconds: 1 } : { pairs: 8, seconds: 5 }
const pollMs = 20
const settlingMs = smallest ? 100 : 1000

export type Round = { calls: number; start(): Promise<unknown> }
type Watched = { databaseUrl: string; owner: Pool; answered(): Promise<number> }

/**
 * `rounds`: two for each pair, alike. At least one pair, and no further one that would end after `until` (of `performance.now()`) if it took as
 * long as the longest. Returns the engine's rates in attempts per second, pair by pair.
 */
export async function measureWithFollower(
  watched: Watched,
  rounds: Iterator<Round>,
  until: number,
): Promise<{ alone: number; followed: number }[]> {
  const pairs: { alone: number; followed: number }[] = []
  let longestMs = 0
  for (let pair = 0; pair < followerRounds.pairs; pair++) {
    const began = performance.now()
    if (pair > 0 && began + longestMs > until) break
    if (pair % 2 === 0) {
      const alone = await rateOf(watched, next(rounds))
      pairs.push({ alone, followed: await rateWithFollower(watched, next(rounds)) })
    } else {
      const followed = await rateWithFollower(watched, next(rounds))
      pairs.push({ alone: await rateOf(watched, next(rounds)), followed })
    }
    longestMs = Math.max(longestMs, performance.now() - began)
  }
  return pairs
}

function next(rounds: Iterator<Round>): Round {
  const { value, done } = rounds.next()
  if (done) throw new Error('fewer rounds than two for each pair')
  return value
}

async function rateOf({ answered }: Watched, round: Round): Promise<number> {
  await sleep(settlingMs)
  const before = await answered()
  const began = performance.now()
  await round.start()
  while ((await answered()) < before + round.calls) await sleep(pollMs)
  return round.calls / ((performance.now() - began) / 1000)
}

/** First removes what earlier rounds left uncounted, so that the follower counts as much as is dialled and no more. */
async function rateWithFollower(watched: Watched, round: Round): Promise<number> {
  await watched.owner.query('truncate attempt_news')
  const env = { ...bareEnvironment, DATABASE_URL: watched.databaseUrl }
  const follower = fork(path.join(import.meta.dirname, '../follower.ts'), { env })
  try {
    await within(200_000, 'the start of the follower', once(follower, 'message'))
    return await rateOf(watched, round)
  } finally {
    await end(follower)
  }
}

async function end(follower: ChildProcess): Promise<void> {
  const ended = once(follower, 'exit')
  if (follower.connected) follower.disconnect()
  await within(20_000, 'the end of the follower', ended).catch(() => follower.kill('SIGKILL'))
}
