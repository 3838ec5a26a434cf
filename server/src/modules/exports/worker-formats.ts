import { createWriteStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import { PassThrough, type Writable } from 'node:stream'
import { once } from 'node:events'
import { finished, pipeline } from 'node:stream/promises'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import type { ExportFormat } from '@ghanti/contract/exports.ts'
import { ZipFile } from 'yazl'
import { byteOrderMark, csvCell, csvLine, forSpreadsheet, type CellKind, type CsvCell } from '../../lib/csv.ts'
import { momentOf, namedApart, type TableColumn } from './rules.ts'
import { closeSheet, openSheet, parts, rowsOfSheet, sheetName, sheetRowsMax } from './worker-xlsx.ts'

type Rows = readonly (readonly CsvCell[])[]
/** Takes a table in pieces and keeps at most one piece, or one row group, in memory. */
export type TableFile = { write(rows: Rows): Promise<void>; end(): Promise<void>; abandon(): Promise<void> }

export function openTable(format: ExportFormat, target: string, columns: readonly TableColumn[]): Promise<TableFile> {
  const named = namedApart(columns.map(({ header }) => header))
  const apart = columns.map(({ kind }, at) => ({ header: named[at] ?? '', kind }))
  return { csv: csvFile, xlsx: xlsxFile, parquet: parquetFile }[format](target, apart)
}

async function into(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}

/** Writes under way fail when a file is abandoned; that is expected. */
async function abandoned(file: Writable): Promise<void> {
  file.on('error', () => {}).destroy()
}

async function csvFile(target: string, columns: readonly TableColumn[]): Promise<TableFile> {
  const file = createWriteStream(target)
  const written = (cell: CsvCell, at: number) => forSpreadsheet(csvCell(cell, columns[at]?.kind))
  await into(file, byteOrderMark + csvLine(columns.map(({ header }) => forSpreadsheet(header))))
  return {
    write: (rows) => into(file, rows.map((row) => csvLine(row.map(written))).join('')),
    async end() {
      file.end()
      await finished(file)
    },
    abandon: () => abandoned(file),
  }
}

/** Writes the zip as it grows and begins a new sheet when one is full. The parts that list the sheets come last. */
async function xlsxFile(target: string, columns: readonly TableColumn[]): Promise<TableFile> {
  const zip = new ZipFile()
  const file = createWriteStream(target)
  const written = pipeline(zip.outputStream, file)
  written.catch(() => {}) // end() reports it
  let sheet: PassThrough | null = null
  let [sheets, left] = [0, 0]

  async function nextSheet(): Promise<PassThrough> {
    sheet = new PassThrough({ highWaterMark: 1 << 20 })
    zip.addReadStream(sheet, sheetName(++sheets), { compressionLevel: 1 })
    left = sheetRowsMax
    await into(sheet, openSheet(columns))
    return sheet
  }
  function endSheet(): void {
    sheet?.end(closeSheet)
    sheet = null
  }
  await nextSheet()
  return {
    async write(rows) {
      for (let from = 0; from < rows.length;) {
        if (left === 0) endSheet()
        const piece = rows.slice(from, from + (left || sheetRowsMax))
        await into(sheet ?? (await nextSheet()), rowsOfSheet(piece, columns))
        left -= piece.length
        from += piece.length
      }
    },
    async end() {
      endSheet()
      for (const [name, text] of parts(sheets)) zip.addBuffer(Buffer.from(text), name)
      zip.end()
      await written
    },
    abandon: () => abandoned(file),
  }
}

/** How many rows are encoded at once, which bounds the memory of an export. */
const rowsOfGroup = 10_000
const types = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  value: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  outcome: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  whole: { type: 'INT32' },
  id: { type: 'INT64' },
  money: { type: 'DOUBLE' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } },
} as const

function parquetValue(cell: CsvCell, kind: CellKind): CsvCell | bigint | Date {
  if (cell === null || cell === '') return null
  if (kind === 'id' && typeof cell === 'number') return BigInt(cell)
  const moment = kind === 'time' ? momentOf(cell) : null
  return moment === null ? cell : new Date(moment)
}

async function parquetFile(target: string, columns: readonly TableColumn[]): Promise<TableFile> {
  const writer = new ParquetWriter({
    writer: fileWriter(target),
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ header, kind }) => ({ name: header, repetition_type: 'OPTIONAL' as const, ...types[kind] })),
    ],
  })
  let group: (readonly CsvCell[])[] = []
  async function writeGroup(): Promise<void> {
    const columnData = columns.map(({ header, kind }, at) => ({
      name: header,
      data: group.map((row) => parquetValue(row[at] ?? null, kind)),
    }))
    await writer.write({ columnData, rowGroupSize: rowsOfGroup })
    group = []
  }
  return {
    async write(rows) {
      for (let from = 0; from < rows.length;) {
        const room = rowsOfGroup - group.length
        group.push(...rows.slice(from, from + room))
        from += room
        if (group.length === rowsOfGroup) await writeGroup()
      }
    },
    async end() {
      if (group.length > 0) await writeGroup()
      await writer.finish()
    },
    abandon: () => fs.rm(target, { force: true }),
  }
}
