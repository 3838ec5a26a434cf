import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { csvStream } from '../../lib/csv.ts'
import { columns, formats, mobileOf, rowOfCells, seen, sheetOf } from '../../testing/files/cells.ts'
import { workbook } from '../../testing/files/workbook.ts'
import { openTable } from '../exports/worker-formats.ts'
import { validateFile } from './rows/worker-file.ts'
import { SpokenValues } from './rows/worker-spoken.ts'
import { columnsOfTemplate, type AcceptedRow, type RefusedRow, type RequiredColumns } from './rules.ts'
import { readTable, recordsOf } from './tables/worker-table.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-round-trip-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
let files = 0
const place = (): string => path.join(folder, String(++files))
const sizeMax = 1 << 20

/** The text that a file is stored as. */
async function imported(source: string): Promise<string> {
  const target = place()
  const end = await readTable({ path: source, declaredType: '', sizeMax, want: 'text', target, askColumns: false })
  expect(['same', 'text']).toContain(end.kind)
  return end.kind === 'same' ? source : target
}

async function rowsIn(source: string, required: RequiredColumns) {
  const rows: { accepted: AcceptedRow[]; refused: RefusedRow[] } = { accepted: [], refused: [] }
  const batches = validateFile({ path: source, declaredType: '', sizeMax, required })
  for (;;) {
    const next = await batches.next()
    if (next.done) {
      if (next.value.kind !== 'read') throw new Error(JSON.stringify(next.value))
      return { ...rows, totals: next.value.totals }
    }
    rows.accepted.push(...next.value.accepted)
    rows.refused.push(...next.value.refused)
  }
}

const valuesOf = ({ accepted }: { accepted: readonly AcceptedRow[] }): string[][] =>
  accepted.map(({ values }) => columns.map((column) => values[column] ?? ''))

test('every kind of cell comes through import, spoken values and exports, and is the same when it is imported again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(rowOfCells, { minLength: 1, maxLength: 5 }), async (rows) => {
      const book = place()
      fs.writeFileSync(book, await workbook([{ name: 'June', rows: sheetOf(rows) }], { formats }))
      const stored = await imported(book)
      const values = valuesOf(await rowsIn(stored, 'any'))
      expect(values).toEqual(rows.map((of) => of.map((cell) => seen(cell.text))))

      for (const templateId of [3, 4, 6, 7]) {
        const { accepted, refused, totals } = await rowsIn(stored, columnsOfTemplate(templateId))
        expect(accepted.length + refused.length).toBe(totals.rows)
        const spoken = new SpokenValues(templateId)
        for (const one of accepted) spoken.take(one)
        const csv = place()
        const lines = refused.map(({ line, text: of, reason }) => [line, of, reason])
        await pipeline(csvStream(['Line', 'Row', 'Reason'], lines), fs.createWriteStream(csv))
        const again: string[][] = []
        for await (const batch of recordsOf({ path: csv, declaredType: '', sizeMax }))
          again.push(...batch.map((one) => one.cells))
        expect(again.slice(1).map(([, of]) => of)).toEqual(refused.map(({ text: of }) => of))
      }

      for (const format of ['csv', 'xlsx'] as const) {
        const report = place()
        const header = ['mobile', ...columns].map((name) => ({ header: name, kind: 'text' as const }))
        const table = await openTable(format, report, header)
        await table.write(values.map((of, at) => [mobileOf(at), ...of]))
        await table.end()
        expect(valuesOf(await rowsIn(await imported(report), 'any')), format).toEqual(values)
      }
    }),
    { numRuns: 60 },
  )
})
