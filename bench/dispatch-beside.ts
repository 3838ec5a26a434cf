/**
 * What insight's follower costs the engine while both run. Windows with the follower, in a process of its own, take turns with windows without
 * it, in one run on the same campaigns, because the rates of two runs differ by more than the follower costs.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bareEnvironment } from '@ghanti/server/testing/processes/own-process.ts'
import type { Pool } from 'pg'
import { smallest, within } from './bench.ts'

/** Pairs of windows, the seconds of each, and those before it that are not counted. `besideSeconds` has a second for each start, too. */
export const beside = smallest ? { pairs: 1, seconds: 0.5, settling: 0.1 } : { pairs: 5, seconds: 3, settling: 1 }
export const besideSeconds = 2 * beside.pairs * (beside.seconds + beside.settling + 1)

type Watched = { databaseUrl: string; owner: Pool; answered(): Promise<number> }

/** Returns the engine's rates in attempts per second, pair by pair. */
export async function measureBeside(watched: Watched): Promise<{ alone: number; followed: number }[]> {
  const pairs: { alone: number; followed: number }[] = []
  for (let pair = 0; pair < beside.pairs; pair++) {
    if (pair % 2 === 0) {
      const alone = await rateOf(watched)
      pairs.push({ alone, followed: await rateBeside(watched) })
    } else {
      const followed = await rateBeside(watched)
      pairs.push({ alone: await rateOf(watched), followed })
    }
  }
  return pairs
}

async function rateOf({ answered }: Watched): Promise<number> {
  await sleep(beside.settling * 1000)
  const [before, began] = [await answered(), performance.now()]
  await sleep(beside.seconds * 1000)
  return ((await answered()) - before) / ((performance.now() - began) / 1000)
}

/** What the windows before have left uncounted goes first: the follower counts as much as is dialled, no more. */
async function rateBeside(watched: Watched): Promise<number> {
  await watched.owner.query('truncate attempt_news')
  const env = { ...bareEnvironment, DATABASE_URL: watched.databaseUrl }
  const follower = fork(path.join(import.meta.dirname, 'follower.ts'), { env })
  try {
    await within(30_000, 'the start of the follower', once(follower, 'message'))
    return await rateOf(watched)
  } finally {
    await end(follower)
  }
}

async function end(follower: ChildProcess): Promise<void> {
  const ended = once(follower, 'exit')
  if (follower.connected) follower.disconnect()
  await within(20_000, 'the end of the follower', ended).catch(() => follower.kill('SIGKILL'))
}
