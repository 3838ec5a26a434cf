/** What people do over HTTP while the engine dials, and how long it takes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { App } from '@ghanti/server/app.ts'
import { tokenOf } from '@ghanti/server/testing/seed.ts'
import type { Viewer } from '@ghanti/server/policy.ts'
import type { Pool } from 'pg'
import * as z from 'zod/mini'
import { within } from '../bench.ts'
import type { Reading } from './reader.ts'
import type { Campaign, Fixtures } from './fixtures.ts'

const replyMs = 30_000

type People = Pick<App, 'db' | 'clock'>

/** Response times in ms, by what was read. */
const Reads = z.record(z.string(), z.array(z.number()))
export type Reads = z.output<typeof Reads>

export function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? NaN
}

/** A reseller and a user, each reading their own dashboard and campaigns until stopped. */
export async function startReaders(
  app: People,
  address: string,
  { reseller, users: [user] }: Fixtures,
): Promise<{ stop(): Promise<Reads> }> {
  assert(user)
  const stops = await Promise.all([reseller, user].map((viewer) => startReader(app, address, viewer, pagesOf(viewer))))
  return {
    async stop() {
      const reads = await Promise.all(stops.map((stop) => stop()))
      return Object.assign({}, ...reads)
    },
  }
}

function pagesOf({ userId, role }: Viewer): Record<string, string> {
  return {
    [`campaigns of a ${role}`]: `/api/obd/campaign/${userId}?page=1&pageSize=10`,
    [`dashboard of a ${role}`]: `/api/obd/dashboard/${userId}`,
  }
}

/** Reads the named paths in a loop as this person until stopped; returns the response times. */
export async function startReader(
  app: People,
  address: string,
  viewer: Viewer,
  paths: Record<string, string>,
): Promise<() => Promise<Reads>> {
  const workerData: Reading = {
    address,
    paths,
    authorization: await authorizationOf(app, viewer),
    everyMs: 50,
  }
  const worker = new Worker(new URL('reader.ts', import.meta.url), { workerData })
  const failed = once(worker, 'error').then(([error]): never => {
    throw error
  })
  failed.catch(() => undefined) // reported by whoever stops it
  return async () => {
    const reply = once(worker, 'message')
    worker.postMessage('stop') // oxlint-disable-line unicorn/require-post-message-target-origin -- a thread, no window
    const [reads] = await within(replyMs, 'what was read', Promise.race([reply, failed]))
    return Reads.parse(reads)
  }
}

async function authorizationOf(app: People, { userId }: Viewer): Promise<string> {
  return `Bearer ${await tokenOf(app, userId)}`
}

/** When the reply arrived, and when the campaign's last call had started; both since the click. */
export type Pause = { repliedMs: number; lastMs: number }

/** Pauses each campaign in turn and resumes it once its calls have ended; stops when all rows are used up. */
export async function pauseOneAfterTheOther(
  app: People,
  address: string,
  db: Pool,
  campaigns: readonly Campaign[],
  until: number,
): Promise<Pause[]> {
  const act = async (what: 'pause' | 'resume', campaign: Campaign): Promise<number> => {
    const reply = await fetch(`${address}/api/obd/campaign/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: await authorizationOf(app, campaign.user) },
      body: JSON.stringify({ campaignId: campaign.id }),
      signal: AbortSignal.timeout(replyMs),
    })
    await reply.text()
    return reply.status
  }
  const pauses: Pause[] = []
  for (let turn = 0; performance.now() < until - 2000; turn++) {
    const campaign = campaigns[turn % campaigns.length]
    assert(campaign)
    const [asked, began] = [new Date(), performance.now()]
    const status = await act('pause', campaign)
    if (status === 409) break
    assert.equal(status, 200)
    const repliedMs = performance.now() - began
    await sleep(1200)
    pauses.push({ repliedMs, lastMs: await lastBegunMs(db, campaign.id, asked) })
    while (performance.now() < until && (await act('resume', campaign)) !== 200) await sleep(200)
  }
  return pauses
}

async function lastBegunMs(db: Pool, campaignId: number, since: Date): Promise<number> {
  const { rows } = await db.query<{ ms: number | null }>(
    `select extract(epoch from max(at) - $2::timestamptz)::float8 * 1000 as ms from (
       select started_at as at from attempt_open where campaign_id = $1 and started_at > $2
       union all select claimed_at from attempt where campaign_id = $1 and claimed_at > $2) t`,
    [campaignId, since],
  )
  return rows[0]?.ms ?? 0
}
