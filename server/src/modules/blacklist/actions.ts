import { csvType } from '../../lib/csv.ts'
import { mintId } from '../../db/platform-accounts.ts'
import { blacklistMaxBytes, refusedKeptDays, type UploadedBlacklist } from '@ghanti/contract/blacklist.ts'
import { dialable, nationalOf, phoneDigits, whyNotDialable } from '@ghanti/contract/phone.ts'
import { refusedShown, type RefusedFile } from '@ghanti/contract/refused.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, badField, badFile, conflict } from '../../errors.ts'
import type { Ctx, FileReply, StagedFile } from '../../http/types.ts'
import { scopeOfPath, type Viewer } from '../../policy.ts'
import { importBlacklist, type BlacklistEnd } from './actions-import.ts'
import { notRead, withText, type Reading } from '../contacts/actions-table.ts'
import { allNumbers } from '../contacts/rows/rules-numbers.ts'
import { contactTurn } from '../contacts/rows/worker.ts'
import { audit, auditRead } from '../audit/actions.ts'
import { countQuestion, countQuestionOnce } from '../auth/actions-throttle.ts'
import { refusedLinesCsv } from '../contacts/actions.ts'
import { leftOutOf } from '../contacts/rules.ts'
import { manyRefused } from '../contacts/rules-refused.ts'
import { tooMuch } from '../limits/actions.ts'
import { busyAgainSeconds } from '../limits/rules.ts'
import { requireRoom } from '../quotas/actions.ts'
import { checkLimit } from './rules.ts'
import * as store from './store.ts'

/** A super admin's own list is the platform's (docs/api.md#who-may-do-what). */
function ownListOf(db: Db, viewer: Viewer): Promise<number> {
  return viewer.role === 'superAdmin' ? mintId(db) : Promise.resolve(viewer.userId)
}

/** The list that a path's `userId` shows: the viewer's own, or one of an account below (docs/api.md#the-userid-in-a-path). */
export async function shownList(db: Db, viewer: Viewer, userId: number): Promise<number> {
  if (userId === viewer.userId) return ownListOf(db, viewer)
  await scopeOfPath(db, viewer, userId)
  return userId
}

/** Whether the viewer's campaigns would leave the number out. Does not reveal whose list it is on. */
export async function isBlacklisted(ctx: Ctx, mobile: string): Promise<boolean> {
  const { app, viewer } = ctx
  const phone = requirePhone(mobile)
  await countQuestion(app.db, askedKey(viewer.userId), checkLimit, 'mobile')
  const target = nationalOf(String(phone))
  await auditRead(ctx, { action: 'blacklist.check', target, ownerId: viewer.userId })
  return (await store.heldAmong(app.db, viewer.userId, [phone])).has(phone)
}

function requirePhone(mobile: string): number {
  const phone = dialable(mobile)
  if (!phone) throw badField('mobile', whyNotDialable(mobile))
  return phoneDigits(phone)
}

/** Waiting for an import to end occupies a connection that all accounts share, so the wait is short. */
async function unlessBusy({ app }: Ctx, change: (tx: Tx) => Promise<void>): Promise<void> {
  await app.db
    .transaction()
    .execute(async (tx) => {
      await store.waitBriefly(tx)
      await change(tx)
    })
    .catch((error: unknown) => {
      throw store.isWaiting(error) ? tooMuch('is storing a file of blacklisted numbers', busyAgainSeconds) : error
    })
}

/** Takes effect at once: running campaigns check before every attempt. */
export async function blacklist(ctx: Ctx, mobile: string): Promise<void> {
  const number = requirePhone(mobile)
  await unlessBusy(ctx, async (tx) => {
    const ownerId = await ownListOf(tx, ctx.viewer)
    if (!(await store.add(tx, ownerId, number))) throw conflict('mobile', 'is already on your blacklist', 'taken')
    if (ownerId === ctx.viewer.userId)
      await requireRoom(tx, ownerId, [{ what: 'blacklist', more: 1, field: 'mobile', stored: true }])
    await audit(tx, ctx, 'blacklist.add', nationalOf(String(number)))
  })
}

export async function allow(ctx: Ctx, blacklistId: number): Promise<void> {
  await unlessBusy(ctx, async (tx) => {
    const removed = await store.remove(tx, await ownListOf(tx, ctx.viewer), blacklistId)
    if (!removed) throw new AppError('not_found')
    await audit(tx, ctx, 'blacklist.delete', nationalOf(String(removed.phone)))
  })
}

const field = 'blistFile'

export async function uploadBlacklist(
  ctx: Ctx,
  file: StagedFile,
  reading: Reading = {},
): Promise<Omit<UploadedBlacklist, 'message'>> {
  const { app, viewer, origin } = ctx
  const ownerId = await ownListOf(app.db, viewer)
  return await withText({ app, accountId: viewer.userId, file, field, isList: true }, reading, async (text) => {
    const job = {
      path: text.path,
      declaredType: text.declaredType,
      sizeMax: blacklistMaxBytes,
      firstLine: text.firstLine,
      takes: reading.columns ? ('cell' as const) : ('row' as const),
      fileName: file.fileName.slice(0, 200),
      ownerId,
      hasQuota: ownerId === viewer.userId,
      field,
      byUserId: viewer.userId,
      ip: origin.ip,
      askColumns: reading.askColumns === 'yes',
    }
    const lost = (error: Error): void => app.log.warn({ error }, 'the database connection of a blacklist was lost')
    const { databaseUrl } = app
    const end = await contactTurn(viewer.userId, () => importBlacklist({ databaseUrl, lost }, job))
    const { hiddenLeft, hiddenTaken, outside } = text
    const stored = storedOrRefused(end, text.size)
    return { ...stored, moreNumbers: allNumbers(stored.moreNumbers, outside), hiddenLeft, hiddenTaken }
  })
}

type Stored = Omit<UploadedBlacklist, 'message' | 'hiddenLeft' | 'hiddenTaken'>

function storedOrRefused(end: BlacklistEnd, size: number): Stored {
  switch (end.kind) {
    case 'stored': {
      const { kind: _, ...stored } = end
      return stored
    }
    case 'empty': {
      const first = end.refused[0]
      const why = first ? `: in line ${first.line} ${first.reason}` : ''
      const text = `has no number that can be called in its ${end.rows} rows${why}`
      throw badFile({ field, code: 'no_numbers', text }, refusedFile(end))
    }
    case 'many':
      throw badFile(manyRefused(field, end.invalid, end.rows), refusedFile(end))
    default:
      throw notRead(end, field, size)
  }
}

function refusedFile({
  rows,
  invalid,
  refused,
}: Extract<BlacklistEnd, { rows: number; kind: 'empty' | 'many' }>): RefusedFile {
  return { rows, dialable: rows - invalid, refused: refused.slice(0, refusedShown) }
}

export async function refusedOfUpload(ctx: Ctx, uploadId: number): Promise<FileReply> {
  const { app, viewer } = ctx
  const { db } = app
  const upload = await store.findUpload(db, await ownListOf(db, viewer), uploadId)
  if (!upload) throw new AppError('not_found')
  const leftOut = leftOutOf({ invalid: upload.invalid, duplicate: 0, refusedOfFile: upload.invalid })
  const target = `blacklist upload ${uploadId}`
  await auditRead(ctx, { action: 'blacklist.download_refused', target, ownerId: viewer.userId })
  const stream = refusedLinesCsv((after, limit) => store.refusedLines(db, uploadId, after, limit), leftOut)
  return { type: csvType, fileName: `blacklist upload ${uploadId} refused.csv`, body: { stream } }
}

export function forgetOldUploads(db: Db): Promise<void> {
  return store.forgetOldUploads(db, refusedKeptDays)
}

export async function blacklistsHold(tx: Tx, accountId: number, phone: number): Promise<boolean> {
  return (await blacklistedAmong(tx, accountId, [phone])).has(phone)
}

/** Which of these numbers the account's calls leave out. */
export function blacklistedAmong(tx: Tx, accountId: number, phones: readonly number[]): Promise<Set<number>> {
  return store.heldAmong(tx, accountId, phones)
}

const askedKey = (accountId: number): string => `blacklist check ${accountId}`

/** Counts a question about each number, once a minute; throws 429 when they are too many. */
export async function countAskedOnce(
  db: Db,
  accountId: number,
  phones: readonly number[],
  field: string,
): Promise<void> {
  for (const phone of phones)
    await countQuestionOnce(db, askedKey(accountId), String(phone), { limit: checkLimit, field })
}

/** Numbers on the platform's own list get no call and no message, not even a test. */
export function platformBlacklists(tx: Tx, phone: number): Promise<boolean> {
  return store.platformBlacklists(tx, phone)
}
