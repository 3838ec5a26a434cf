import type { RouteKey } from '@ghanti/contract/routes.ts'
import { newCall } from '../calls.ts'
import { trunk, trunkDisposition, trunkTest } from './route-fixtures-lines.ts'
import { campaign, noId, type RouteFixture } from './route-fixtures.ts'
import type { Row } from './route-rows.ts'
import { lineOf, newTrace } from '../traces.ts'

const tracedCall: RouteFixture = {
  ...campaign(),
  async make(app, owner, viewer) {
    const campaignId = Number(await campaign().make(app, owner, viewer))
    const attemptId = await newCall(app, owner, campaignId)
    await newTrace(app, await lineOf(app, campaignId), { attemptId, campaignId })
    return attemptId
  },
}

const trace: RouteFixture = {
  ...campaign(),
  async make(app, owner, viewer) {
    const campaignId = Number(await campaign().make(app, owner, viewer))
    const attemptId = await newCall(app, owner, campaignId)
    return newTrace(app, await lineOf(app, campaignId), { attemptId, campaignId })
  },
}

const tracedTest: RouteFixture = {
  ...trunkTest,
  async make(app, owner, viewer) {
    const testId = Number(await trunkTest.make(app, owner, viewer))
    const { trunk_id: trunkId, dialer_id: dialerId } = await app.db
      .selectFrom('trunk_test')
      .select(['trunk_id', 'dialer_id'])
      .where('id', '=', testId)
      .executeTakeFirstOrThrow()
    await newTrace(app, { trunkId, dialerId }, { testId })
    return testId
  },
  missing: noId,
}

const ofTrunk: Row = { on: ['trunkId', trunk] }

/** SIP messages and codes of trunks, for super admins alone (route-rows.ts has the rules). */
export const traceRows = {
  'traces.ofCall': { on: ['attemptId', tracedCall] },
  'traces.ofTest': { on: ['testId', tracedTest] },
  'traces.download': { on: ['traceId', trace], fields: { format: 'text' } },
  'traces.quality': ofTrunk,
  'trunkDispositions.list': ofTrunk,
  'trunkDispositions.add': {
    ...ofTrunk,
    fields: { sipStatus: 480, q850Cause: undefined, disposition: 'INVALID', sign: 'good' },
  },
  'trunkDispositions.delete': { on: ['dispositionId', trunkDisposition] },
} as const satisfies Partial<Record<RouteKey, Row>>
