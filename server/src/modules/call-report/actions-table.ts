import type { CallRow } from '@ghanti/contract/call-report.ts'
import type { CsvCell } from '../../lib/csv.ts'
import type { Db } from '../../db/db.ts'
import type { Scope } from '../../policy.ts'
import { messagesOfCalls } from '../after-call/actions.ts'
import { textMessagesOf } from '../sms-campaigns/actions-calls.ts'
import { callRowOf, csvCells, tableColumns, type Reader } from './rules.ts'
import * as store from './store.ts'

/** What a reader exports; plain data that goes to a thread as it is. */
export type CallsOf = { scope: Scope; filter: store.CallFilter; reader: Reader }

/** What the reader sees of these calls. */
export async function rowsOf(db: Db, lines: readonly store.CallLine[], reader: Reader): Promise<CallRow[]> {
  const [asked, texts] = await Promise.all([messagesOfCalls(db, lines), textMessagesOf(db, lines)])
  const smsOf = (id: number) => [...(asked.get(id) ?? []), ...(texts.get(id) ?? [])]
  return lines.map((line) => callRowOf(line, smsOf(line.id), reader))
}

const atOnce = 5000

/** Every call that matches, the newest first, with all columns of the screen. */
export function tableOfCalls(db: Db, { scope, filter, reader }: CallsOf) {
  async function* batches(): AsyncGenerator<CsvCell[][]> {
    for await (const ids of store.everyCallOf(db, scope, filter, atOnce)) {
      const lines = await store.described(db, ids)
      yield (await rowsOf(db, lines, reader)).map((row) => csvCells(row, reader.role))
    }
  }
  return { columns: tableColumns(reader.role), batches: batches() }
}
