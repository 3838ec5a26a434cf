import { ownValue } from '@ghanti/contract/own-values.ts'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { contactsMaxBytes } from '@ghanti/contract/contacts.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { mebibyte } from '@ghanti/contract/values.ts'
import type { Client } from 'pg'
import { byteOrderMark, csvLine } from '../../lib/csv.ts'
import { faults, type RowChoice } from './rules.ts'
import { chosenRows, columnsOf } from './store-rows.ts'

export type BaseFromJob = { databaseUrl: string; campaignId: number; choice: RowChoice; target: string }
/** `refused` reads on after 'The contact file'. */
export type BaseFromReply = { rows: number; bytes: number } | { refused: string }

class Refused extends Error {}

/**
 * Writes the chosen rows of a campaign as a contact file that could have been uploaded: all columns, values as they were read. It uses
 * constant memory.
 */
export async function writeBase(
  client: Client,
  { campaignId, choice, target }: BaseFromJob,
  onRows: (rows: number) => void,
): Promise<BaseFromReply> {
  let rows = 0
  let bytes = 0

  async function* pieces(columns: readonly string[]): AsyncGenerator<Buffer> {
    yield* piece(byteOrderMark + csvLine(columns))
    const others = columns.slice(1)
    for await (const batch of chosenRows(client, campaignId, choice)) {
      const lines = batch.map(({ phone, values }) =>
        csvLine([nationalOf(String(phone)), ...others.map((column) => ownValue(values, column) ?? '')]),
      )
      yield* piece(lines.join(''))
      rows += batch.length
      onRows(rows)
    }
  }
  function* piece(text: string): Generator<Buffer> {
    const written = Buffer.from(text)
    bytes += written.length
    if (bytes > contactsMaxBytes) throw new Refused(faults.tooLarge(contactsMaxBytes / mebibyte))
    yield written
  }

  await client.query('begin isolation level repeatable read read only')
  const columns = await columnsOf(client, campaignId)
  if (!columns) return { refused: faults.campaignGone }
  try {
    await pipeline(pieces(columns), createWriteStream(target))
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message }
    throw error
  }
  await client.query('commit')
  return rows === 0 ? { refused: faults.empty } : { rows, bytes }
}
