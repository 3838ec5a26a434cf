import assert from 'node:assert/strict'
import { claim, why } from '@ghanti/server/voice/model/campaigns/claim.sql.ts'
import { grantChannels } from '@ghanti/server/voice/scheduler/capacity/channels.sql.ts'
import { settleOutcomes, type Outcome } from '@ghanti/server/voice/settle/settle.sql.ts'
import { takeover } from '@ghanti/server/dispatch/lease/lease.sql.ts'
import type { Pool } from 'pg'
import { promptMs, type Campaign, type Fixtures } from './fixtures.ts'

/**
 * Claims and settles in a loop, one connection per dialer, until the time or a dialer's rows are used up. Returns attempts and their rate
 * per second.
 */
export async function bareRate(
  pool: Pool,
  fixtures: Fixtures,
  campaigns: readonly Campaign[],
  of: { batch: number; seconds: number },
): Promise<{ done: number; rate: number }> {
  const began = performance.now()
  const until = began + of.seconds * 1000
  const lanes = await Promise.all(fixtures.lines.map(({ dialerId }) => claimAndSettle(dialerId)))
  const sum = (values: number[]): number => values.reduce((all, value) => all + value, 0)
  return { done: sum(lanes.map(({ done }) => done)), rate: sum(lanes.map(({ done, seconds }) => done / seconds)) }

  async function claimAndSettle(dialerId: number): Promise<{ done: number; seconds: number }> {
    const client = await pool.connect()
    try {
      const lease = await takeover(client, dialerId, 'bench', 600_000)
      assert(lease)
      const mine = campaigns.filter((campaign) => campaign.line.dialerId === dialerId)
      const wants = mine.map(({ payerIds }) => ({ payerIds, calls: of.batch }))
      await grantChannels(client, [{ lease, wants }])
      let done = 0
      while (mine.length > 0 && performance.now() < until) {
        const campaign = mine.shift()
        assert(campaign)
        const { id: campaignId, payerIds } = campaign
        const blacklistOwnerIds = [...payerIds, fixtures.mintId]
        const request = {
          campaignId,
          trunkId: campaign.line.trunkId,
          wanted: of.batch,
          slot: dialerId,
          since: new Date(0),
          payerIds,
          blacklistOwnerIds,
          caps: { answered: 3, attempted: 10, platform: 20 },
          busyMs: 5000,
        }
        const { calls: claimed } = await claim(client, lease, request)
        if (claimed.length === 0) {
          const reason = await why(client, lease, campaignId, payerIds)
          assert(reason?.exhausted, `a claim gave nothing: ${JSON.stringify(reason)}`)
          continue
        }
        mine.push(campaign)
        const outcomes = claimed.map(({ id }) => heard(id))
        const settled = await settleOutcomes(client, lease, dialerId, outcomes)
        done += settled.length
      }
      return { done, seconds: (performance.now() - began) / 1000 }
    } finally {
      client.release()
    }
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
    agentCounts: false,
    unheard: false,
    alerted: true,
    alertedAt: null,
    retryInMs: null,
  }
}
