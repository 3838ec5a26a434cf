import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import type { App } from '../../app.ts'
import { csvLine } from '../../lib/csv.ts'
import { keepFile, type FilesTx } from '../files/actions.ts'
import * as store from './store.ts'

type TestRows = {
  ownerId: number
  numbers: readonly string[]
  values: Readonly<Record<string, string>>
  /** Of the file that the values are from. */
  dateOrders?: ColumnOrders | undefined
  /** The field that the error names when there is no room. */
  field: string
}

/** A contact file in which every number has these values. Like pasted numbers it is not listed. */
export async function insertTestBase(
  app: App,
  tx: FilesTx,
  { ownerId, numbers, values, dateOrders = {}, field }: TestRows,
): Promise<number> {
  const columns = Object.keys(values)
  const lines = [['mobile', ...columns], ...numbers.map((number) => [number, ...Object.values(values)])]
  const bytes = Buffer.from(lines.map(csvLine).join(''))
  const base = {
    ownerId,
    name: 'Test call',
    pasted: true,
    fileHash: await keepFile(tx, app.files, bytes, { ownerId, field }),
    sizeBytes: bytes.length,
    rows: numbers.length,
    dialable: numbers.length,
    columns: ['mobile', ...columns],
    valueBytes: bytes.length,
    moreNumbers: [],
    dateOrders,
  }
  const baseId = await store.insert(tx, base)
  if (baseId === undefined) throw new Error('pasted numbers need no name of their own')
  return baseId
}
