import type { Flow } from '@ghanti/callflow/flow.ts'
import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import type { App } from '../../app.ts'
import { insertTestBase } from '../contacts/actions-test.ts'
import type { PriceLevel } from '../credits/actions.ts'
import type { FilesTx } from '../files/actions.ts'
import type { ActiveLine } from '../lines/actions.ts'
import { reservePaisa } from './rules-estimate.ts'
import * as store from './store.ts'

type SingleCalls = {
  ownerId: number
  name: string
  /** National numbers, without the country code. */
  numbers: readonly string[]
  values: Readonly<Record<string, string>>
  /** Of the file that the values are from. */
  dateOrders?: ColumnOrders
  line: ActiveLine
  chain: readonly PriceLevel[]
  flow: Flow
  keyLabels?: KeyLabels
  now: Date
  /** A call that has not started within this time is never placed. */
  beginWithinMs: number
  /** Null: as long as the trunk allows. */
  ringSeconds: number | null
  /** The campaign that is tested, or whose call is followed up; null for a test before there is a campaign. */
  of: number | null
  isCallNow: boolean
  /** The field that the error names when the account has no room for the numbers. */
  field: string
}

/** Inserts calls that somebody waits for as a campaign of their own: charged and checked like any other, but in no list, and without retries. */
export async function insertSingleCalls(tx: FilesTx, app: App, calls: SingleCalls): Promise<number> {
  const { ownerId, name, numbers, values, dateOrders, line, chain, flow, keyLabels, now, of, isCallNow, field } = calls
  const [level] = chain
  if (!level) throw new Error('an account without a chain of payers')
  const campaignId = await store.insertCampaign(tx, {
    ownerId,
    name,
    templateId: flow.templateId,
    baseId: await insertTestBase(app, tx, { ownerId, numbers, values, dateOrders, field }),
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
    composed: keyLabels ? { keyLabels } : {},
    test: { of, isCallNow },
  })
  if (campaignId === undefined) throw new Error('single calls need no name of their own')
  return campaignId
}
