/** A file of concatenated gzip members: unpacked as a whole it is one CSV, and each member can be read alone. */
import * as fs from 'node:fs'
import { pipeline as connect, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { parse } from 'csv-parse'
import type { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

export type Member = { start: number; bytes: number }

export async function addMember(file: string, source: Readable): Promise<Member> {
  const start = await sizeOf(file)
  await pipeline(source, createGzip(), fs.createWriteStream(file, { flags: 'a', flush: true }))
  return { start, bytes: (await sizeOf(file)) - start }
}

async function sizeOf(file: string): Promise<number> {
  return fs.promises.stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

export const headerOf = (columns: string): Readable => Readable.from([`${columns}\n`])

export function rowsOf(client: Client, query: string): Readable {
  return client.query(copyTo(`copy (${query}) to stdout (format csv)`))
}

export async function readBack(client: Client, packed: Readable, table: string, columns: string): Promise<void> {
  await pipeline(packed, createGunzip(), client.query(copyFrom(`copy ${table} (${columns}) from stdin (format csv)`)))
}

export function memberOf(file: string, { start, bytes }: Member): Readable {
  return fs.createReadStream(file, { start, end: start + bytes - 1 })
}

export type ArchivedRecord = Readonly<Record<string, string | null>>

const recordsAtOnce = 2000

/** The rows of a member in batches, each cell as PostgreSQL wrote it; null also for an empty text. */
export async function* recordsIn(packed: Readable, columns: readonly string[]): AsyncGenerator<ArchivedRecord[]> {
  const parser = parse({ columns: [...columns], cast: (value) => (value === '' ? null : value) })
  connect(packed, createGunzip(), parser, () => {}) // an error ends the parser
  let batch: ArchivedRecord[] = []
  for await (const record of parser) {
    batch.push(record as ArchivedRecord)
    if (batch.length < recordsAtOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Appends bytes unchanged. */
export async function append(file: string, source: Readable): Promise<void> {
  await pipeline(source, fs.createWriteStream(file, { flags: 'a', flush: true }))
}
