import type { ControlledTransaction, Kysely, Transaction } from 'kysely'
import type { DB } from './tables.ts'

export type Db = Kysely<DB>
/** A transaction. Functions that take it write more than one thing, or must not be seen half done. */
export type Tx = Transaction<DB> | ControlledTransaction<DB>
