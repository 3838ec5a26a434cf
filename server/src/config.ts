import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { passphraseMin } from './db/backup/backup-encryption.ts'
import { serversOf } from './db/servers/database-url.ts'
import { codeOf, messageOf } from './lib/error-code.ts'

const roles = ['api', 'engine', 'worker'] as const
type ProcessRole = (typeof roles)[number]

const blankIsAbsent = (value: unknown): unknown => (value === '' ? undefined : value)
const optional = <S extends z.ZodType>(schema: S) => z.preprocess(blankIsAbsent, schema.optional())
const portNumber = z.coerce.number().int().min(0).max(65_535)
const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
  .refine(
    (text) => serversOf(text) !== null,
    'must look like postgres://login:password@server/database, or name several servers, as in @one:5432,two:5432/',
  )

/** 'calls@example.com' or 'Ghanti <calls@example.com>'. */
const mailFrom = /^([^<>@\r\n]+<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/

/** Every setting and its form. README and docs/operating.md explain them to people. */
const Settings = z.object({
  DATABASE_URL: optional(databaseUrl),
  DATABASE_REPLICA_URL: optional(databaseUrl),
  DATABASE_REPLICA_SECONDS: optional(z.coerce.number().int().min(2).max(3600)),
  PORT: optional(portNumber).default(3000),
  HOST: optional(z.string()).default('127.0.0.1'),
  ROLES: optional(commaList.pipe(z.array(z.enum(roles)).min(1))),
  BASE_PATH: optional(z.string().regex(/^\/[\w./-]*[\w.-]$/, "must look like /build, without a '/' at the end")),
  TRUST_PROXY: optional(commaList),
  PUBLIC_URL: optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  SIMULATOR_SPEED: optional(z.coerce.number().min(1).max(1000)),
  SIMULATOR_MIX: optional(z.enum(['true', 'false'])),
  SIMULATOR_PROCESS: optional(z.enum(['true', 'false'])),
  WAIT_SCALE: optional(z.coerce.number().min(0.0001).max(1)),
  DATA_FOLDER: optional(z.string()).default('.ghanti'),
  SECRET: optional(
    z.string().regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url, as `npm run admin -- new-secret` prints'),
  ),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps address' })),
  MAIL_FROM: optional(
    z.string().regex(mailFrom, 'must be a mail address, with a name before it like Ghanti <calls@example.com>'),
  ),
  RESET_HIDES_ACCOUNTS: optional(z.enum(['true', 'false'])),
  SPEECH_URL: optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  SPEECH_TOKEN: optional(z.string().regex(/^[\x21-\x7e]+$/, 'must have no blanks and ASCII characters only')),
  METRICS_TOKEN: optional(z.string().min(16, 'must have at least 16 characters')),
  METRICS_PORT: optional(portNumber),
  BACKUP_PASSPHRASE: optional(z.string().min(passphraseMin, `must have at least ${passphraseMin} characters`)),
  PRIVATE_HOSTS: optional(commaList),
  RECORDING_DAYS: optional(z.coerce.number().int().min(1).max(3650)),
  DATABASE_POOL: optional(z.coerce.number().int().min(2).max(500)),
  ENGINE_POOL: optional(z.coerce.number().int().min(7).max(500)),
  ENGINE_NAME: optional(z.string().max(60, 'must have at most 60 characters')),
  ENGINE_WEIGHT: optional(
    z.coerce
      .number('must be a whole number from 1 to 100')
      .int('must be a whole number from 1 to 100')
      .min(1, 'must be at least 1: an engine without a share of the dialers is one that does not run')
      .max(100, 'must be at most 100'),
  ),
  LOG_LEVEL: optional(z.enum(['debug', 'info', 'warn', 'error', 'silent'])),
})

export type Config = {
  /** No DATABASE_URL: PostgreSQL runs below the data folder, with demo accounts from the first start on. */
  embedded: boolean
  /** Null when embedded: pg-local says where it listens. */
  databaseUrl: string | null
  databasePool: number
  /** The engine among those that share the dialers. `pool`: its connections to the database; `weight`: its share beside that of others. */
  engine: { pool: number; name: string; weight: number }
  /** Where lists are read that may be up to `behindSeconds` old; null: from the database itself. */
  replica: { url: string; behindSeconds: number } | null
  host: string
  /** 0: any free port. */
  port: number
  roles: readonly ProcessRole[]
  /** '' or '/build': prefixes the console and every path; the API answers at the root as well. */
  basePath: string
  /** Addresses of proxies whose X-Forwarded-* headers are trusted. */
  trustProxy: readonly string[]
  /** The beginning of links in mails; never taken from a request. */
  publicUrl: string
  /** Null when no mail is sent. The URL may contain user and password. */
  smtp: { url: string; from: string } | null
  /** Everybody who asks for a reset link reads that it was sent, whether or not the account exists. */
  resetHidesAccounts: boolean
  simulatorSpeed: number
  /** The simulator answers ordinary numbers with a seeded mixture of outcomes instead of always answering. */
  simulatorMix: boolean
  /**
   * The simulator is a process of its own (`npm run simulator`) at its dialer's host and port, so that calls outlive the server; otherwise it lives
   * in this process.
   */
  simulatorProcess: boolean
  /** Embedded, `--asterisk`: calls pass a real Asterisk on this machine and end at its virtual operator. */
  asterisk: boolean
  /** Embedded, `--smpp`: messages pass an SMPP message centre on this machine. */
  smpp: boolean
  /** Embedded, `--empty`: a first start makes the demo accounts without campaigns, as in a new installation. */
  empty: boolean
  /** `--no-console`: this process serves no console, because Vite's development server does (`npm run dev`). */
  noConsole: boolean
  /** Private names and addresses that HTTP gateways may have; other private addresses are never asked. */
  privateHosts: readonly string[]
  /** A factor for the engine's waits (retries, congestion, probes); null: as the network's speed says. */
  waitScale: number | null
  dataFolder: string
  recordingDays: number
  secret: Buffer
  /** Encrypts backups unless the command names a file with another one. */
  backupPassphrase: string | null
  /** An HTTP speech engine; null: the one that comes with the product. */
  speech: { url: string; token: string | null } | null
  metricsToken: string | null
  metricsPort: number | null
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** A demo on real telephony should not wait ten minutes for a retry: the same factor as the simulator's speed. */
const asteriskWaitScale = 1 / 30

/** Throws one error that names every bad setting. `args`: the command line without the program. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  args: readonly string[] = [],
): Config {
  const parsed = Settings.safeParse(env)
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
  const { asterisk, smpp, empty, noConsole } = flagsIn(args, problems)
  if (env['SMTP_URL'] && !env['MAIL_FROM']) problems.push('MAIL_FROM: is required with SMTP_URL')
  if (env['SPEECH_TOKEN'] && !env['SPEECH_URL']) problems.push('SPEECH_TOKEN: belongs to SPEECH_URL')
  if (env['DATABASE_REPLICA_URL'] && !env['DATABASE_URL'])
    problems.push('DATABASE_REPLICA_URL: belongs to DATABASE_URL')
  if (env['DATABASE_REPLICA_SECONDS'] && !env['DATABASE_REPLICA_URL'])
    problems.push('DATABASE_REPLICA_SECONDS: belongs to DATABASE_REPLICA_URL')
  if (env['DATABASE_URL']) {
    if (!env['SECRET'])
      problems.push('SECRET: is required with DATABASE_URL (32 bytes in base64url: `npm run admin -- new-secret`)')
    if (!env['PUBLIC_URL']) problems.push('PUBLIC_URL: is required with DATABASE_URL, links in mails begin with it')
    if (env['SIMULATOR_SPEED'])
      problems.push('SIMULATOR_SPEED: the simulator belongs to the embedded mode, without DATABASE_URL')
    if (env['WAIT_SCALE']) problems.push('WAIT_SCALE: belongs to the embedded mode, without DATABASE_URL')
    if (asterisk) problems.push('--asterisk: belongs to the embedded mode, without DATABASE_URL')
    if (smpp) problems.push('--smpp: belongs to the embedded mode, without DATABASE_URL')
    if (empty) problems.push('--empty: belongs to the embedded mode, without DATABASE_URL')
  }
  if (!parsed.success || problems.length > 0)
    throw new Error(`bad settings\n${problems.map((line) => `  ${line}`).join('\n')}`)
  const s = parsed.data
  const embedded = s.DATABASE_URL === undefined
  const dataFolder = path.resolve(s.DATA_FOLDER)
  return {
    embedded,
    databaseUrl: s.DATABASE_URL ?? null,
    databasePool: s.DATABASE_POOL ?? 20,
    engine: { pool: s.ENGINE_POOL ?? 10, name: s.ENGINE_NAME ?? os.hostname(), weight: s.ENGINE_WEIGHT ?? 1 },
    replica:
      s.DATABASE_REPLICA_URL === undefined
        ? null
        : { url: s.DATABASE_REPLICA_URL, behindSeconds: s.DATABASE_REPLICA_SECONDS ?? 10 },
    host: s.HOST,
    port: s.PORT,
    roles: s.ROLES ?? roles,
    basePath: s.BASE_PATH ?? '',
    trustProxy: s.TRUST_PROXY ?? [],
    publicUrl: (s.PUBLIC_URL ?? `http://${s.HOST}:${s.PORT}`).replace(/\/$/, ''),
    smtp: s.SMTP_URL !== undefined && s.MAIL_FROM !== undefined ? { url: s.SMTP_URL, from: s.MAIL_FROM } : null,
    resetHidesAccounts: s.RESET_HIDES_ACCOUNTS === 'true',
    simulatorSpeed: embedded ? (s.SIMULATOR_SPEED ?? 30) : 1,
    simulatorMix: s.SIMULATOR_MIX !== 'false',
    simulatorProcess: s.SIMULATOR_PROCESS === 'true',
    asterisk,
    smpp,
    empty,
    noConsole,
    privateHosts: (s.PRIVATE_HOSTS ?? []).map((host) => host.toLowerCase()),
    waitScale: s.WAIT_SCALE ?? (asterisk ? asteriskWaitScale : null),
    dataFolder,
    recordingDays: s.RECORDING_DAYS ?? 90,
    secret: s.SECRET === undefined ? keptSecret(path.join(dataFolder, 'secret')) : Buffer.from(s.SECRET, 'base64url'),
    backupPassphrase: s.BACKUP_PASSPHRASE ?? null,
    speech: s.SPEECH_URL === undefined ? null : { url: s.SPEECH_URL, token: s.SPEECH_TOKEN ?? null },
    metricsToken: s.METRICS_TOKEN ?? null,
    metricsPort: s.METRICS_PORT ?? null,
    logLevel: s.LOG_LEVEL ?? (embedded ? 'warn' : 'info'),
  }
}

const flag = { type: 'boolean', default: false } as const

function flagsIn(
  args: readonly string[],
  problems: string[],
): Pick<Config, 'asterisk' | 'smpp' | 'empty' | 'noConsole'> {
  try {
    const options = { asterisk: flag, smpp: flag, empty: flag, 'no-console': flag }
    const { 'no-console': noConsole, ...values } = parseArgs({ args: [...args], options }).values
    return { ...values, noConsole }
  } catch (error) {
    problems.push(messageOf(error))
    return { asterisk: false, smpp: false, empty: false, noConsole: false }
  }
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Embedded: generated once and stored beside the data that it protects. */
function keptSecret(file: string): Buffer {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  try {
    fs.writeFileSync(file, newSecret(), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const secret = Buffer.from(fs.readFileSync(file, 'utf8').trim(), 'base64url')
  if (secret.length !== 32) throw new Error(`${file} does not hold 32 bytes in base64url`)
  return secret
}
