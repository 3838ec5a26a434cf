import * as z from 'zod/mini'
import type { AlertKind } from '@ghanti/contract/alerts.ts'
import type { Db } from '../../db/db.ts'
import { AppError, conflict } from '../../errors.ts'
import { audit, type Actor } from '../audit/actions.ts'
import * as store from './store.ts'

/**
 * Shows whoever runs the platform a fault; once per kind and subject until it is cleared, and at most once an hour, for all attempts and messages of a
 * kind together.
 */
export function raiseAlert(db: Db, kind: AlertKind, subject: string, detail: string): Promise<void> {
  return store.insert(db, kind, subject, detail)
}

export function alertOver(db: Db, kind: AlertKind, subject: string): Promise<void> {
  return store.clearOpen(db, kind, subject)
}

export async function alertLines(db: Db, which: { cleared: boolean }): Promise<string[]> {
  return (await store.readAlerts(db, which)).map(lineOf)
}

/** Returns the cleared alert's line. Refused when no open alert has that id. */
export async function clearAlert(db: Db, actor: Actor, { id, at }: { id: number; at: Date }): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const alert = await store.lockAlert(tx, id)
    if (!alert) throw new AppError('not_found')
    if (alert.cleared_at) throw conflict('alertId', 'was cleared before', 'cleared')
    await store.setCleared(tx, id, at)
    const { kind, subject, detail } = alert
    await audit(tx, actor, 'admin.clearAlert', `alert ${id}`, { kind, subject, detail })
    return lineOf(alert)
  })
}

export async function openAlerts(db: Db): Promise<Map<string, number>> {
  return new Map((await store.countOpen(db)).map(({ kind, open }) => [kind, Number(open)]))
}

/** The open alerts of these kinds about one thing, the newest first. */
export async function openAlertsAbout<Kind extends AlertKind>(db: Db, subject: string, kinds: readonly Kind[]) {
  const rows = await store.openAbout(db, subject, kinds)
  return rows.flatMap(({ kind, detail, at }) => {
    const known = kinds.find((one) => one === kind)
    return known === undefined ? [] : [{ kind: known, detail, at }]
  })
}

/** Open alerts, counted up to 100. */
export async function waitingAlerts(db: Db): Promise<number> {
  const open = [...(await openAlerts(db)).values()].reduce((sum, count) => sum + count, 0)
  return Math.min(open, 100)
}

export async function newestAlerts(db: Db, most: number) {
  const { rows } = await store.listAlerts(db, { state: 'open' }, { page: 1, pageSize: most })
  return rows
}

/** Further attempts or messages of an alert, as stored. */
export const Others = z.array(z.object({ subject: z.string(), detail: z.string() }))

type Alert = Awaited<ReturnType<typeof store.readAlerts>>[number]

function lineOf({ id, at, kind, subject, detail, times, others, cleared_at }: Alert): string {
  const cleared = cleared_at ? ` (cleared ${timeOf(cleared_at)})` : ''
  const more = z.parse(Others, others).map((other) => `; ${other.subject}  ${other.detail}`)
  return `${id}  ${timeOf(at)}  ${kind}  ${subject}  ${detail}${more.join('')}${times > 1 ? ` (${times} times)` : ''}${cleared}`
}

const timeOf = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`
