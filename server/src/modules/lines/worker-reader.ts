import { readRecords } from '../contacts/rows/worker-file.ts'
import { Unreadable } from '../contacts/rows/worker-records.ts'
import { CliFileValidator } from './rules-file.ts'
import type { CliFile, CliFileEnd } from './worker.ts'

export async function read(file: CliFile): Promise<CliFileEnd> {
  const validator = new CliFileValidator()
  try {
    for await (const _ of readRecords(file, () => (cells, line) => validator.validate(cells, line)));
  } catch (error) {
    if (error instanceof Unreadable) return error.end
    throw error
  }
  const { accepted, refused, moreNumbers } = validator
  return { kind: 'read', accepted, refused, moreNumbers }
}
