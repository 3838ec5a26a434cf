import * as fs from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { ZipFile } from 'yazl'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import { encrypting } from './backup-encryption.ts'
import { keyOf, manifestOf, type Manifest, type Table } from './backup-tables.ts'
import { DatabaseClient } from '../servers/client.ts'

/** '"public"."users" ("id", "name")' */
export function copyTarget(table: Table): string {
  return `${escapeIdentifier(table.schema)}.${escapeIdentifier(table.name)} (${table.columns.map(escapeIdentifier).join(', ')})`
}

/**
 * Writes everything that Ghanti knows into one zip: manifest.json, tables/<schema>.<table>.copy (COPY text) and files/<sha256>. All tables are read
 * in one snapshot, so calls may continue meanwhile. `file` appears when it is complete. With `passphrase` null, anybody who has the file can read
 * it.
 */
export async function backup(
  connectionString: string,
  files: FilesDriver,
  file: string,
  passphrase: string | null = null,
): Promise<Manifest> {
  // As the application's role, which may read every table: the processes' login is enough.
  const client = new DatabaseClient({
    connectionString,
    application_name: 'ghanti-backup',
    options: '-c role=ghanti_app',
  })
  await client.connect()
  const draft = `${file}.part`
  try {
    await client.query('begin isolation level repeatable read read only')
    const manifest = await manifestOf(client)
    const zip = new ZipFile()
    const failed = new Promise<never>((_, fail) => zip.on('error', fail))
    zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 1)), 'manifest.json')
    for (const table of manifest.tables)
      // opened when its turn comes, because a connection copies one table at a time
      zip.addReadStreamLazy(`tables/${keyOf(table)}.copy`, { forceZip64Format: true, compressionLevel: 1 }, (ready) =>
        ready(null, client.query(copyTo(`copy (select ${selectList(table)}) to stdout`))),
      )
    for await (const hash of files.all())
      zip.addFile(await files.pathOf(hash), `files/${hash}`, { compressionLevel: 1 })
    zip.end()
    const target = fs.createWriteStream(draft, { mode: 0o600, flush: true })
    const written =
      passphrase === null
        ? pipeline(zip.outputStream, target)
        : pipeline(zip.outputStream, await encrypting(passphrase), target)
    await Promise.race([written, failed])
    await client.query('commit')
    await fs.promises.rename(draft, file)
    return manifest
  } finally {
    await client.end()
    await fs.promises.rm(draft, { force: true })
  }
}

function selectList(table: Table): string {
  return `${table.columns.map(escapeIdentifier).join(', ')} from ${escapeIdentifier(table.schema)}.${escapeIdentifier(table.name)}`
}
