/** What PostgreSQL and the engine's statements give on this machine, with nothing around them. */
import assert from 'node:assert/strict'
import { claim } from '@ghanti/server/engine/dispatch-claim.sql.ts'
import { finish, type Outcome } from '@ghanti/server/engine/dispatch-finish.sql.ts'
import { takeover } from '@ghanti/server/engine/dispatch-lease.sql.ts'
import type { Pool } from 'pg'
import { promptMs, type Campaign, type World } from './dispatch-world.ts'

/** Claim and book, over and over, one connection a dialer: attempts per second. */
export async function bareRate(
  pool: Pool,
  world: World,
  campaigns: readonly Campaign[],
  of: { batch: number; seconds: number },
): Promise<number> {
  const began = performance.now()
  const until = began + of.seconds * 1000
  const done = await Promise.all(world.lines.map(({ dialerId }) => claimAndBook(dialerId)))
  return done.reduce((sum, n) => sum + n, 0) / ((performance.now() - began) / 1000)

  async function claimAndBook(dialerId: number): Promise<number> {
    const client = await pool.connect()
    const lease = await takeover(client, dialerId, 'bench', 600_000)
    assert(lease)
    const mine = campaigns.filter((campaign) => campaign.line.dialerId === dialerId)
    let done = 0
    for (let turn = 0; performance.now() < until; turn++) {
      const campaign = mine[turn % mine.length]
      assert(campaign)
      const { id: campaignId, payerIds } = campaign
      const blacklistOwnerIds = [...payerIds, world.mintId]
      const request = { campaignId, wanted: of.batch, slot: dialerId, since: new Date(0), payerIds, blacklistOwnerIds }
      const claimed = await claim(client, lease, request)
      assert(claimed.length > 0, 'the rows for the bare statements are used up')
      const outcomes = claimed.map(({ id }) => heard(id))
      const booked = await finish(client, lease, dialerId, outcomes)
      done += booked.length
    }
    client.release()
    return done
  }
}

function heard(attemptId: number): Outcome {
  const at = new Date()
  return {
    attemptId,
    disposition: 'ANSWER',
    startedAt: at,
    answeredAt: at,
    endedAt: at,
    billMs: promptMs,
    patchBillMs: null,
    sipStatus: null,
    q850Cause: 16,
    endedBy: 'us',
    keys: '',
    agent: null,
    recordingId: null,
    trail: 'welcome >end',
    agentMissed: null,
    unheard: false,
    retryInMs: null,
  }
}
