import type { Flow } from '@ghanti/callflow/flow.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { insertTestBase } from '../contacts/actions-test.ts'
import type { PriceLevel } from '../credits/actions.ts'
import type { ActiveLine } from '../lines/actions.ts'
import { reservePaisa } from './rules-estimate.ts'
import * as store from './store.ts'

type SingleCalls = {
  ownerId: number
  name: string
  /** As people write them, without the country's code. */
  numbers: readonly string[]
  /** Of every number's row. */
  values: Readonly<Record<string, string>>
  line: ActiveLine
  chain: readonly PriceLevel[]
  flow: Flow
  now: Date
  /** What has not begun by then does not begin. */
  beginWithinMs: number
  /** Null: as long as the trunk lets it. */
  ringSeconds: number | null
  /** The campaign that is tested, or whose call is followed up; null: none yet. */
  of: number | null
  isCallNow: boolean
}

/** Calls that somebody asked for and waits for: a campaign of its own, charged and judged as any other, in no list and without retries. */
export async function insertSingleCalls(tx: Tx, app: App, calls: SingleCalls): Promise<number> {
  const { ownerId, name, numbers, values, line, chain, flow, now, of, isCallNow } = calls
  const [level] = chain
  if (!level) throw new Error('an account without a chain of payers')
  const campaignId = await store.insertCampaign(tx, {
    ownerId,
    name,
    templateId: flow.templateId,
    baseId: await insertTestBase(app, tx, { ownerId, numbers, values }),
    line,
    startAt: now,
    dialUntil: new Date(now.getTime() + calls.beginWithinMs),
    channels: numbers.length,
    retries: 0,
    retryIntervalMinutes: 1,
    ringSeconds: calls.ringSeconds,
    reservePaisa: reservePaisa(flow, level),
    chain,
    flow,
    composed: {},
    test: { of, isCallNow },
  })
  if (campaignId === undefined) throw new Error('single calls need no name of their own')
  return campaignId
}
