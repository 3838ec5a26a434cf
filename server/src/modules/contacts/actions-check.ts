import { contactsMaxBytes, type CheckedFile, type FileLook } from '@ghanti/contract/contacts.ts'
import { checkedShown } from '@ghanti/contract/refused.ts'
import type { Ctx, StagedFile } from '../../http/types.ts'
import { readOrRefused } from './actions.ts'
import { lookAt, withText, type Reading, type TextFile } from './actions-table.ts'
import { contactBatches, contactTurn } from './rows/worker.ts'

const field = 'baseFile'
type Asked = Pick<Reading, 'sheet' | 'columns' | 'numbers' | 'hiddenRows'> & { check?: 'yes' | undefined }

/** The first rows of a file; with `check` also what storing it would give, read in the same way as an upload. Stores nothing. */
export async function lookAndCheck(ctx: Ctx, file: StagedFile, { check, ...reading }: Asked): Promise<FileLook> {
  const { app, viewer } = ctx
  const from = { app, accountId: viewer.userId, file, field }
  const { likely, ...look } = await lookAt(from, reading.sheet)
  if (check !== 'yes') return { ...look, checked: null }
  const sheet = reading.sheet ?? look.sheet ?? undefined
  const counted = await withText(from, { ...reading, sheet }, (text) => countsOf(viewer.userId, text))
  return { ...look, checked: { number: reading.columns?.number ?? likely, ...counted } }
}

async function countsOf(accountId: number, text: TextFile): Promise<Omit<CheckedFile, 'number'>> {
  const { path, declaredType, firstLine } = text
  const job = { path, declaredType, sizeMax: contactsMaxBytes, firstLine, templateId: 0 }
  return await contactTurn(accountId, async () => {
    const listed: CheckedFile['refused'] = []
    await using batches = contactBatches(job, 'refused')
    for (;;) {
      const next = await batches.next()
      if (next.done) {
        const { rows, accepted: good } = readOrRefused(next.value, field, text.size)
        return { rows, good, refused: listed }
      }
      const { refused } = next.value
      for (const { line, text: row, number = null, reason } of refused.slice(0, checkedShown - listed.length))
        listed.push({ line, text: row, number, reason })
    }
  })
}
