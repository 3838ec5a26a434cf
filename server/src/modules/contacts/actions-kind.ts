import { open } from 'node:fs/promises'
import type { StagedFile } from '../../http/types.ts'
import { notRead } from './actions-table.ts'
import { formatOf, headBytes, whyUnsupported, workbookType } from './rows/rules-format.ts'

/** Refuses a file whose first bytes are neither text nor a workbook of Excel, before it is kept. */
export async function refuseOtherKinds({ path, declaredType, size }: StagedFile, field: string): Promise<void> {
  await using handle = await open(path)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  const format = formatOf(buffer.subarray(0, bytesRead), declaredType)
  if (!('unsupported' in format) || format.unsupported === workbookType) return
  throw notRead({ kind: 'unsupported', type: format.unsupported, why: whyUnsupported(format.unsupported) }, field, size)
}
