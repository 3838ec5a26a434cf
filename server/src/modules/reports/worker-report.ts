import { createWriteStream } from 'node:fs'
import * as path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { ZipFile } from 'yazl'
import { csvStream, type CsvCell } from '../../lib/csv.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import { cellsOf, headerOf, reportTypes, type ReportHead, type ReportType } from './rules.ts'
import { reportHead, reportRows } from './store-rows.ts'

export type ReportZips = Record<ReportType | 'both', string>

export type ReportOf = { campaignId: number; /** The day in the names of the files. */ at: Date }

/** Where the lines of a type are while the report is made. */
export const csvIn = (folder: string, type: ReportType): string => path.join(folder, `${type}.csv`)

/** Makes the report of a campaign, all of one moment, in `folder`. Memory does not grow with it: rows go from a cursor into files. */
export async function makeReport(client: Client, { campaignId, at }: ReportOf, folder: string): Promise<ReportZips> {
  await client.query('begin isolation level repeatable read read only')
  const head = await reportHead(client, campaignId)
  if (!head) throw new Error(`there is no campaign ${campaignId}`)
  for (const type of reportTypes)
    await pipeline(
      csvStream(headerOf(head), lines(client, campaignId, type, head)),
      createWriteStream(csvIn(folder, type)),
    )
  await client.query('commit')

  const zip = async (name: string, types: readonly ReportType[]): Promise<string> => {
    const target = path.join(folder, `${name}.zip`)
    const file = new ZipFile()
    for (const type of types)
      file.addFile(csvIn(folder, type), fileNameOf(type, 'csv', head.name, at), { compressionLevel: 1 })
    file.end()
    await pipeline(file.outputStream, createWriteStream(target))
    return target
  }
  return { both: await zip('both', reportTypes), cc: await zip('cc', ['cc']), dtmf: await zip('dtmf', ['dtmf']) }
}

async function* lines(
  client: Client,
  campaignId: number,
  type: ReportType,
  head: ReportHead,
): AsyncGenerator<CsvCell[]> {
  for await (const batch of reportRows(client, campaignId, type)) for (const row of batch) yield cellsOf(row, head)
}
