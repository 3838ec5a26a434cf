import { createHash } from 'node:crypto'
import { badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { contactBatches, contactTurn, unapprovedText } from './rows/worker.ts'
import { jobOf, readOrRefused, type Base } from './actions.ts'
import { AnswerCache } from '../../lib/answer-cache.ts'
import type { CallTextSettings } from './rows/rules-message.ts'
import * as store from './store.ts'

/**
 * `segments`: the most that all rows together can need; `most`: any one row. `unsendable`, `unapproved`: per text, how many rows do not get
 * it, by reason.
 */
export type CallTextPreview = { segments: number; most: number; unsendable: number[]; unapproved: number[] }

const knownPreviews = new AnswerCache<CallTextPreview>({ max: 50, ms: 60_000 })

type Asked = {
  baseId: number
  templateId: number
  settings: CallTextSettings
  /** The most segments one call of a row may lead to, given the segments of each text (0 where the row does not get it). */
  dearest: (segments: readonly number[]) => number
  /** Identifies `dearest` in the cache's key. */
  kind: string
}

/**
 * What the rows of the viewer's own base may be sent after their calls, validated as preparation does. Stores nothing; cached for a minute.
 */
export async function previewCallTexts(ctx: Ctx, asked: Asked): Promise<CallTextPreview> {
  const { app, viewer } = ctx
  const { baseId, templateId, settings, kind } = asked
  const base = await store.find(app.db, ownScope(viewer), baseId)
  if (!base) throw badField('baseId', 'is not a contact file of yours', 'not_found')
  const digest = createHash('sha256')
    .update(JSON.stringify([templateId, settings, kind]))
    .digest('hex')
  return knownPreviews.get(app, `${viewer.userId}/${baseId}/${base.file_hash}/${digest}`, () =>
    app.workLimits.run(app.db, 'previews', viewer.userId, () =>
      contactTurn(viewer.userId, () => previewOfTexts(ctx, base, asked)),
    ),
  )
}

async function previewOfTexts({ app, viewer }: Ctx, base: Base, asked: Asked): Promise<CallTextPreview> {
  const { templateId, settings, dearest } = asked
  const job = { ...(await jobOf(app, base, templateId)), callTexts: settings }
  const owners = await store.blacklistOwners(app.db, viewer.userId)
  const texts = settings.texts.length
  const preview: CallTextPreview = {
    segments: 0,
    most: 0,
    unsendable: settings.texts.map(() => 0),
    unapproved: settings.texts.map(() => 0),
  }
  await using batches = contactBatches(job, 'callTexts')
  for (;;) {
    const next = await batches.next()
    if (next.done) {
      readOrRefused(next.value, 'baseId', base.size_bytes)
      return preview
    }
    const { phones, segments } = next.value
    const barred = await store.blacklisted(app.db, Array.from(phones), owners)
    for (const [index, phone] of phones.entries()) {
      if (barred.has(phone)) continue
      const segmentsOfRow = Array.from(segments.subarray(index * texts, (index + 1) * texts))
      const wanted = dearest(segmentsOfRow.map((n) => (n === unapprovedText ? 0 : n)))
      preview.segments += wanted
      preview.most = Math.max(preview.most, wanted)
      for (const [no, n] of segmentsOfRow.entries()) {
        if (n === 0) preview.unsendable[no] = (preview.unsendable[no] ?? 0) + 1
        if (n === unapprovedText) preview.unapproved[no] = (preview.unapproved[no] ?? 0) + 1
      }
    }
  }
}
