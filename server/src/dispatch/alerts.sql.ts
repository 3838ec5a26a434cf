import type { AlertKind } from '@ghanti/contract/alerts.ts'
import { run, statement, type Queryable } from './statement.ts'

const alertStatement = statement('raise_alert', 'select raise_alert($1, $2, $3)')

/** Raises an alert for people to see, unless one like it is open already. A kind and place has at most one an hour (`alert_once()`). */
export async function raiseAlert(db: Queryable, kind: AlertKind, subject: string, detail: string): Promise<void> {
  await run(db, alertStatement, [kind, subject, detail])
}

const clearAlertStatement = statement('clear_alert', 'select clear_alert($1, $2)')

/** Of an alert about several attempts or messages, this one is taken out. */
export async function clearAlert(db: Queryable, kind: AlertKind, subject: string): Promise<void> {
  await run(db, clearAlertStatement, [kind, subject])
}
