import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import type { Replica } from './db/servers/replica.ts'
import type { AddressDriver } from './drivers/addresses/driver.ts'
import type { FilesDriver } from './drivers/files/driver.ts'
import type { MailDriver, Mailbox } from './drivers/mail/driver.ts'
import type { TtsDriver } from './drivers/tts/driver.ts'
import type { WorkLimits } from './modules/limits/actions.ts'

/** What the server's parts share; built in main.ts (and by testApp) and passed on. The engine has its own pool and drivers. */
export type App = {
  config: Config
  db: Db
  /** For threads, which open connections of their own. */
  databaseUrl: string
  /** Null: everything is read from `db`. */
  replica: Replica | null
  clock: Clock
  log: Logger
  files: FilesDriver
  jobs: PgBoss
  tts: TtsDriver
  /** Null when this installation sends no mail. */
  mail: MailDriver | null
  /** Where mail goes instead of being sent; null when it is sent. */
  mailbox: Mailbox | null
  addresses: AddressDriver
  workLimits: WorkLimits
}
