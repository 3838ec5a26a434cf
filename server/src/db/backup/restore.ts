import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import * as yauzl from 'yauzl'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import { copyTarget } from './backup.ts'
import { DecryptedFile, isEncrypted } from './backup-encryption.ts'
import { isKept, jobsVersion, keyOf, Manifest, tablesOf } from './backup-tables.ts'
import { jobSchema, knownFiles, migrate } from '../schema/migrate.ts'
import { DatabaseClient } from '../servers/client.ts'
import { roomUncounted } from '../../modules/quotas/actions.ts'

const partitionRows = 10_000_000

/**
 * Restores a backup into a database without accounts. The schema is created as it was at the time of the backup and then brought up to date. All or
 * nothing. The installation gets a new id, because its attempts' ids occur a second time, and nobody is signed in. `passphrase` is asked for when
 * the backup is encrypted; the whole file is then read before anything is done.
 */
export async function restore(
  connectionString: string,
  files: FilesDriver,
  file: string,
  passphrase: () => Promise<string> = noPassphrase,
): Promise<Manifest> {
  const zip = await openZip(file, passphrase)
  try {
    const manifest = Manifest.parse(JSON.parse(await text(await zip.open('manifest.json'))))
    await migrate(connectionString, knownFiles(manifest.migrations), [])
    const client = new DatabaseClient({ connectionString, application_name: 'ghanti-restore' })
    await client.connect()
    try {
      await client.query('begin')
      await fill(client, manifest, zip)
      for (const name of zip.names)
        if (name.startsWith('files/')) await putFile(files, name.slice(6), await zip.open(name))
      await client.query('commit')
    } finally {
      await client.end() // without the commit everything is undone
    }
    await migrate(connectionString)
    return manifest
  } finally {
    zip.close()
  }
}

async function fill(client: Client, manifest: Manifest, zip: Zip): Promise<void> {
  const { rowCount } = await client.query('select from users limit 1')
  if (rowCount !== 0) throw new Error('the database has accounts: a backup is restored into an empty one')
  for (const name of manifest.partitions) await makePartition(client, name)
  const wanted = new Map(manifest.tables.map((table) => [keyOf(table), table]))
  const sameJobs = (await jobsVersion(client)) === manifest.jobsVersion
  const tables = (await tablesOf(client)).filter((table) => sameJobs || table.schema !== jobSchema)
  await client.query(`truncate ${tables.map((table) => `"${table.schema}"."${table.name}"`).join(', ')}`)
  // Past events are not announced a second time.
  for (const { schema, name } of tables) await client.query(`alter table "${schema}"."${name}" disable trigger user`)
  for (const { schema, name } of tables.filter(isKept)) {
    const table = wanted.get(keyOf({ schema, name }))
    if (!table) throw new Error(`the backup lacks ${keyOf({ schema, name })}`)
    await pipeline(
      await zip.open(`tables/${keyOf(table)}.copy`),
      client.query(copyFrom(`copy ${copyTarget(table)} from stdin`)),
    )
  }
  for (const { schema, name } of tables) await client.query(`alter table "${schema}"."${name}" enable trigger user`)
  // Invalidates cookies of browsers that signed in before.
  await client.query('update users set device_key = gen_random_uuid()')
  for (const { schema, name, value } of manifest.sequences)
    if (sameJobs || schema !== jobSchema)
      await client.query('select setval(format($1, $2::text, $3::text)::regclass, $4)', ['%I.%I', schema, name, value])
  await client.query('update api_key set is_paused = true')
  await client.query('update hook set is_paused = true')
  await client.query('update installation set id = substr(md5(random()::text || clock_timestamp()::text), 1, 6)')
}

/** 'attempt_3': make_partitions makes none from before the given rows. */
async function makePartition(client: Client, name: string): Promise<void> {
  const [, parent, number] = /^(attempt|sms_sent|transfer)_(\d+)$/.exec(name) ?? []
  if (parent === undefined) throw new Error(`${name} is no partition of ours`)
  await client.query('select make_partitions($1, $2, $3, 0)', [parent, Number(number) * partitionRows, partitionRows])
}

async function putFile(files: FilesDriver, hash: string, bytes: Readable): Promise<void> {
  const stored = await files.putStream(bytes, roomUncounted('restored'))
  if (stored !== hash) throw new Error(`file ${hash} of the backup is damaged`)
}

type Zip = { names: string[]; open(name: string): Promise<Readable>; close(): void }

function noPassphrase(): Promise<string> {
  return Promise.reject(new Error('the backup is encrypted: its passphrase is needed'))
}

/** The zip inside an encrypted backup, read in pieces, so that none of it is ever on disk unencrypted. */
class DecryptedZip extends yauzl.RandomAccessReader {
  readonly #file: DecryptedFile

  constructor(file: DecryptedFile) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.#file.read(start, end)
  }

  override close(done: (error: Error | null) => void): void {
    this.#file.close().then(
      () => done(null),
      (error: Error) => done(error),
    )
  }
}

async function openZip(file: string, passphrase: () => Promise<string>): Promise<Zip> {
  const options = { autoClose: false }
  const decrypted = (await isEncrypted(file)) ? await DecryptedFile.open(file, await passphrase()) : null
  const zip = decrypted
    ? await yauzl.fromRandomAccessReaderPromise(new DecryptedZip(decrypted), decrypted.size, options)
    : await yauzl.openPromise(file, options)
  const entries = new Map<string, yauzl.Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  return {
    names: [...entries.keys()],
    async open(name) {
      const entry = entries.get(name)
      if (!entry) throw new Error(`${file} is no backup of Ghanti: it lacks ${name}`)
      return zip.openReadStreamPromise(entry)
    },
    close: () => zip.close(),
  }
}
