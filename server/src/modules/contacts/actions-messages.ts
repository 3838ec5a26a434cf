import { createHash } from 'node:crypto'
import type { SmsPreview } from '@ghanti/contract/sms-compose.ts'
import { segmentsOf } from '@ghanti/contract/sms-text.ts'
import { badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { allNumbers, outsideOf, storedNumbers } from './rows/rules-numbers.ts'
import { contactBatches, contactTurn } from './rows/worker.ts'
import { jobOf, readOrRefused } from './actions.ts'
import { AnswerCache } from '../../lib/answer-cache.ts'
import type { MessageSettings } from './rows/rules-message.ts'
import * as store from './store.ts'

const shownRows = 10

type Counts = Pick<
  SmsPreview,
  | 'rows'
  | 'accepted'
  | 'blacklisted'
  | 'unreachable'
  | 'invalid'
  | 'duplicate'
  | 'columns'
  | 'moreNumbers'
  | 'refused'
  | 'unapproved'
>
export type MessagePreview = Counts & { segments: number }

/** A form asks after each change, and most changes leave the messages as they are. */
const knownPreviews = new AnswerCache<MessagePreview>({ max: 50, ms: 60_000 })

/** What preparation would make of the viewer's own base: same validation, same blacklists. Stores nothing; cached for a minute. */
export async function previewMessages(ctx: Ctx, baseId: number, message: MessageSettings): Promise<MessagePreview> {
  const { app, viewer } = ctx
  const base = await store.find(app.db, ownScope(viewer), baseId)
  if (!base) throw badField('baseId', 'is not a contact file of yours', 'not_found')
  return knownPreviews.get(app, `${viewer.userId}/${baseId}/${base.file_hash}/${digestOf(message)}`, () =>
    app.workLimits.run(app.db, 'previews', viewer.userId, () =>
      contactTurn(viewer.userId, () => previewOfMessages(ctx, base, message)),
    ),
  )
}

/** Equal for messages that validate a file in the same way. */
export function digestOf(message: MessageSettings): string {
  return createHash('sha256')
    .update(JSON.stringify(likenessOf(message)))
    .digest('hex')
}

/** When everybody gets the same text, only its length matters, so typing does not read the file again. */
function likenessOf(message: MessageSettings): object {
  return message.templateId === 1 ? message : { ...message, text: segmentsOf(message.text) }
}

type Base = NonNullable<Awaited<ReturnType<typeof store.find>>>

async function previewOfMessages({ app, viewer }: Ctx, base: Base, message: MessageSettings): Promise<MessagePreview> {
  const job = { ...(await jobOf(app, base, 0)), message }
  const owners = await store.blacklistOwners(app.db, viewer.userId)
  const counts = { accepted: 0, blacklisted: 0, unreachable: 0, invalid: 0, unapproved: 0, segments: 0 }
  const refused: SmsPreview['refused'] = []
  await using batches = contactBatches(job, 'messages')
  for (;;) {
    const next = await batches.next()
    if (next.done) {
      const totals = readOrRefused(next.value, 'baseId', base.size_bytes)
      const { rows, duplicate, columns } = totals
      const moreNumbers = allNumbers(totals.moreNumbers, outsideOf(storedNumbers(base)))
      return { ...counts, rows, invalid: counts.invalid + totals.invalid, duplicate, columns, moreNumbers, refused }
    }
    const { phones, segments, ...batch } = next.value
    const barred = await store.blacklisted(app.db, Array.from(phones), owners)
    for (const [index, phone] of phones.entries()) {
      if (barred.has(phone)) counts.blacklisted++
      else {
        counts.accepted++
        counts.segments += segments[index] ?? 0
      }
    }
    counts.unreachable += batch.unreachable
    counts.invalid += batch.invalid
    counts.unapproved += batch.unapproved
    for (const { line, text, reason } of batch.refused.slice(0, shownRows - refused.length))
      refused.push({ line, text, reason })
  }
}
