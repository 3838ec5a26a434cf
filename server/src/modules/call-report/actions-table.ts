import type { CallRow } from '@ghanti/contract/call-report.ts'
import type { CsvCell } from '../../lib/csv.ts'
import { oneAhead } from '../../lib/one-ahead.ts'
import type { Db } from '../../db/db.ts'
import type { Scope } from '../../policy.ts'
import { messagesOfCalls } from '../after-call/actions.ts'
import { textMessagesOf } from '../sms-campaigns/actions-calls.ts'
import { keyLabelsOf } from '../voice-compose/actions-labels.ts'
import { callRowOf, tableCells, tableColumns, type Beside, type Reader } from './rules.ts'
import * as store from './store.ts'

/** What a reader exports. Plain data, because it is passed to a worker thread. */
export type CallsOf = { scope: Scope; filter: store.CallFilter; reader: Reader }

export async function rowsOf(db: Db, lines: readonly store.CallLine[], reader: Reader): Promise<CallRow[]> {
  const besideOf = await readBeside(db, lines)
  return lines.map((line) => callRowOf(line, besideOf(line), reader))
}

async function readBeside(db: Db, lines: readonly store.CallLine[]): Promise<(line: store.CallLine) => Beside> {
  const [asked, texts, labels] = await Promise.all([
    messagesOfCalls(db, lines),
    textMessagesOf(db, lines),
    keyLabelsOf(
      db,
      lines.map((line) => line.campaign_id),
    ),
  ])
  return ({ id, campaign_id: campaignId }) => ({
    sms: [...(asked.get(id) ?? []), ...(texts.get(id) ?? [])],
    keyLabels: labels.get(campaignId) ?? {},
  })
}

const atOnce = 5000

/** Every matching call, newest first, with all columns of the screen, and the campaigns of those read so far. Reads the next batch while one is written. */
export function tableOfCalls(db: Db, { scope, filter, reader }: CallsOf) {
  const campaigns = new Set<number>()
  async function* read() {
    for await (const ids of store.everyCallOf(db, scope, filter, atOnce)) {
      const lines = await store.described(db, ids)
      for (const line of lines) campaigns.add(line.campaign_id)
      yield { lines, besideOf: await readBeside(db, lines) }
    }
  }
  async function* batches(): AsyncGenerator<CsvCell[][]> {
    for await (const { lines, besideOf } of oneAhead(read()))
      yield lines.map((line) => tableCells(callRowOf(line, besideOf(line), reader), reader.role))
  }
  return { columns: tableColumns(reader.role), batches: batches(), campaigns }
}
