import type { ColumnOrders } from '@ghanti/contract/date-orders.ts'
import type { App } from '../../app.ts'
import { isStored } from '../../drivers/files/driver.ts'
import { badField } from '../../errors.ts'
import type { Viewer } from '../../policy.ts'
import type { SoughtRow } from './rows/worker-row.ts'
import { contactBatches, contactTurn, type ContactJob } from './rows/worker.ts'
import type { MessageSettings } from './rows/rules-message.ts'
import { jobOf, readOrRefused } from './actions.ts'
import { digestOf } from './actions-messages.ts'
import { AnswerCache } from '../../lib/answer-cache.ts'
import type { AcceptedRow, RefusedRow } from './rules.ts'
import { storedOrders } from './rules-dates.ts'
import * as store from './store.ts'

const knownRows = new AnswerCache<SoughtRow | null>({ max: 50, ms: 60_000 })

/** One row as its owner's campaign would validate it. `previous` and `next` are the lines of its neighbours. */
export type BaseRow = {
  row: AcceptedRow | RefusedRow
  previous: number | null
  next: number | null
  blacklisted: boolean
  dateOrders: ColumnOrders
}

type Sought = { baseId: number; templateId: number; line: number | undefined; message?: MessageSettings }

/**
 * The first row at or after this line, validated for the template or for `message`; without a line, the first that may be called or gets a
 * message. Reads the file up to there, because a row depends on those before it. A deleted base still serves the campaigns made from it.
 */
export async function rowOfBase(
  { app, viewer }: { app: App; viewer: Viewer },
  { baseId, templateId, line, message }: Sought,
): Promise<BaseRow> {
  const base = await store.findAny(app.db, baseId)
  if (!base || !(await isStored(app.files, base.file_hash)))
    throw badField('row', 'cannot be read: the contact file is not there any more', 'not_found')
  const job = {
    ...(await jobOf(app, base, templateId)),
    ...(line !== undefined && { line }),
    ...(message && { message }),
  }
  const validatedFor = message ? `message ${message.templateId}` : `${templateId} ${JSON.stringify(base.spoken_from)}`
  const place = line ?? (message ? digestOf(message) : '')
  const sought = await knownRows.get(
    app,
    `${baseId}/${base.file_hash}/${validatedFor}/${place}/${JSON.stringify(base.date_orders)}`,
    () => contactTurn(viewer.userId, () => seek(job, base.size_bytes)),
  )
  if (!sought) {
    const text =
      line === undefined ? 'is missing: no row can be called' : `is missing: no row begins in line ${line} or below`
    throw badField('row', text, 'not_found')
  }
  const { row } = sought
  const dateOrders = storedOrders(base) ?? {}
  if (!('phone' in row)) return { ...sought, blacklisted: false, dateOrders }
  const owners = await store.blacklistOwners(app.db, base.owner_id)
  return { ...sought, blacklisted: (await store.blacklisted(app.db, [row.phone], owners)).size > 0, dateOrders }
}

async function seek(job: ContactJob, size: number): Promise<SoughtRow | null> {
  await using batches = contactBatches(job, 'row')
  for (;;) {
    const next = await batches.next()
    if (next.done) {
      readOrRefused(next.value, 'baseId', size)
      return null
    }
    if (next.value.sought) return next.value.sought
  }
}
