import * as path from 'node:path'
import { ComposeInput } from '@ghanti/contract/compose.ts'
import { addDays } from '@ghanti/contract/days.ts'
import { dayFrom, startOf } from '@ghanti/contract/repeat-days.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import { AppError, type FieldError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { writeDue } from '../contacts/actions-due.ts'
import { keepMade, totalsOfMade } from '../contacts/actions-made.ts'
import { withFiles, type FilesTx } from '../files/actions.ts'
import { requireBase } from '../contacts/actions.ts'
import { giveNotice } from '../notices/actions.ts'
import { withCountedAgents } from '../voice-compose/actions-agents.ts'
import { composeIn } from '../voice-compose/actions.ts'
import { composedAt, isMissed, words } from './rules.ts'
import * as store from './store.ts'

const takenAtOnce = 200
const origin = { ip: 'repeating campaign', host: '', userAgent: '' }

/** Queues a job for each day whose campaign is to be composed now. Several processes may do this at the same time. */
export async function queueDueRepeats(app: App): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    for (const { accountId, ...job } of await store.takeDue(tx, app.clock.now(), takenAtOnce))
      await queueJob(app.jobs, tx, 'repeat', job, { turn: { accountId, before: 0 } })
  })
}

type Job = { repeatId: number; day: string }

/**
 * The job: composes the campaign of a day, or says why there is none. The row of the day and the campaign are inserted in one transaction that
 * holds the repeating campaign, so whatever is killed or run twice, a day is composed once.
 */
export async function runRepeat(app: App, { repeatId, day }: Job, signal: AbortSignal): Promise<void> {
  const due = await store.findDue(app.db, repeatId, day)
  if (!due) return
  if (due.isDeleted) return await app.db.transaction().execute((tx) => store.move(tx, repeatId, { state: 'ended' }))
  const now = app.clock.now()
  if (isMissed(day, due.time, now)) return await endDay(app, due, day, { outcome: 'missed' })
  if (!due.isLive) return await endDay(app, due, day, failed([problem(words.disabled)]))
  try {
    if (due.column === null) await composeDay(app, due, day, { baseIn: () => Promise.resolve(due.base_id) })
    else await composeDue(app, due, day, due.column, signal)
  } catch (error) {
    if (!(error instanceof AppError) || error.retryAfterSeconds !== undefined) throw error
    await endDay(app, due, day, failed(error.errors.length > 0 ? error.errors : [problem(error.message)]))
  }
}

/** After the last retry; the cause is in the log. */
export async function giveUpRepeat(app: App, { repeatId, day }: Job): Promise<void> {
  const due = await store.findDue(app.db, repeatId, day)
  if (due) await endDay(app, due, day, failed([problem(words.broken)]))
}

function problem(text: string): FieldError {
  return { field: 'repeatId', code: 'failed', text }
}

function failed(errors: readonly FieldError[]): store.Ended {
  return { outcome: 'failed', errors }
}

/** Composes over the rows that are due on that day, as a contact file of their own that is in no list. */
async function composeDue(app: App, due: store.Due, day: string, column: string, signal: AbortSignal): Promise<void> {
  const ownerId = due.userId
  const base = await app.db.transaction().execute((tx) => requireBase(tx, ownScope(due), due.base_id, 0))
  await withWorkFolder(app, 'repeats', async (folder) => {
    const target = path.join(folder, 'contacts.csv')
    const only = { column, offsetDays: due.offsetDays, first: day, last: day }
    const { rows, size, dateOrders } = await writeDue(app, base, { ...only, target, signal })
    if (rows === 0) return await endDay(app, due, day, { outcome: 'nobody', rows })
    const file = { path: target, size }
    const totals = await totalsOfMade(ownerId, file, dateOrders)
    const { spoken_from: spokenFrom } = base
    const name = nameOf(due, day)
    await composeDay(app, due, day, {
      rows,
      async baseIn(tx) {
        const baseId = await keepMade(tx, app.files, { ...file, ownerId, name, totals, pasted: true, spokenFrom })
        if (baseId === undefined) throw new Error('storing a file without a name reported a name conflict')
        return baseId
      },
    })
  })
}

const nameOf = ({ name }: { name: string }, day: string): string => `${name} ${day}`

type Contacts = { rows?: number; baseIn: (tx: FilesTx) => Promise<number> }

async function composeDay(app: App, due: store.Due, day: string, { rows, baseIn }: Contacts): Promise<void> {
  const { userId, username, role, parentId } = due
  const ctx: Ctx = { app, viewer: { userId, username, role, parentId }, origin }
  await withFiles(app, async (tx) => {
    if (!(await store.holdDue(tx, due.id, day))) return
    const start = startOf(day, due.time)
    const at = start > app.clock.now() ? { scheduleTime: nepalTimeOf(start) } : {}
    const input = inputOf({ ...fieldsOf(due), ...at, campaignName: nameOf(due, day), baseId: await baseIn(tx) })
    const { campaignId } = await composeIn(withCountedAgents(tx), ctx, input)
    await settle(tx, app, due, day, { outcome: 'composed', campaignId, ...(rows !== undefined && { rows }) })
    await audit(tx, ctx, 'repeat.run', `repeat ${due.id}`, { name: due.name, campaignName: input.campaignName })
  })
}

function fieldsOf({ fields }: { fields: unknown }): object {
  return typeof fields === 'object' && fields !== null ? fields : {}
}

/** Compose's body of a set-up; throws 400 naming what it lacks. */
export function inputOf(body: object): ComposeInput {
  const parsed = ComposeInput.safeParse(body)
  if (parsed.success) return parsed.data
  throw new AppError('bad_input', faultsOf(parsed.error))
}

/** Fields of a stored set-up that compose no longer accepts. */
export function storedFaults(body: object): FieldError[] {
  const parsed = ComposeInput.safeParse(body)
  return parsed.success ? [] : faultsOf(parsed.error)
}

type Unread = NonNullable<ReturnType<typeof ComposeInput.safeParse>['error']>

function faultsOf({ issues }: Unread): FieldError[] {
  return issues.map(({ path: at, message: text }) => ({ field: at.map(String).join('.'), code: 'invalid', text }))
}

/** Records why a day got no campaign, and notifies the owner unless no row was due. */
async function endDay(app: App, due: store.Due, day: string, ended: store.Ended): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    if (!(await store.holdDue(tx, due.id, day))) return
    await settle(tx, app, due, day, ended)
    if (ended.outcome === 'nobody') return
    const about = nameOf(due, day)
    await giveNotice(tx, { userId: due.userId, kind: 'repeatFailed', subjectId: due.id, about, reason: null })
  })
}

/** Records what became of the day, and moves the repeating campaign on to its next day or ends it. */
async function settle(tx: Tx, app: App, due: store.Due, day: string, ended: store.Ended): Promise<void> {
  await store.insertDay(tx, due.id, day, ended, app.clock.now())
  const next = dayFrom(due, addDays(day, 1))
  const at = next === null ? null : composedAt(next, due.time)
  await store.move(tx, due.id, next === null || at === null ? { state: 'ended' } : { state: 'active', day: next, at })
}
