import type { FieldError } from '../../errors.ts'
import { leftOutOf, refusedOf } from './rules.ts'

/** How many lines a campaign's file had refused, how many of them whatever the template, and since when the file is deleted. */
export type RefusedOfCampaign = {
  invalid: number | null
  duplicate: number | null
  refused_of_file: number | null
  file_gone_at: Date | null
}

/** Null when all refused lines were kept with the campaign, or it is not prepared yet. */
function countsOf({ invalid, duplicate, refused_of_file: refusedOfFile }: RefusedOfCampaign) {
  return invalid === null || duplicate === null || refusedOfFile === null ? null : { invalid, duplicate, refusedOfFile }
}

export function refusedKept(d: RefusedOfCampaign): number {
  const counts = countsOf(d)
  if (!counts) return (d.invalid ?? 0) + (d.duplicate ?? 0)
  const { kept, template } = refusedOf(counts)
  return d.file_gone_at === null ? kept : template.kept
}

export function leftOutOfDownload(d: RefusedOfCampaign): string[] {
  const counts = countsOf(d)
  if (!counts) return []
  const { refusedOfFile } = counts
  if (d.file_gone_at === null || refusedOfFile === 0) return leftOutOf(counts)
  const gone = `${refusedOfFile.toLocaleString('en')} rows refused for their number or length went with the contact file`
  return [gone, ...leftOutOf({ ...counts, invalid: counts.invalid - refusedOfFile, refusedOfFile: 0 })]
}

/** The refusal of a file that the console has a person look at before it is stored. */
export function manyRefused(field: string, refused: number, rows: number): FieldError {
  const count = refused === 1 ? '1 row' : `${refused.toLocaleString('en')} rows`
  return { field, code: 'many_refused', text: `has ${count} that cannot be called, of ${rows.toLocaleString('en')}` }
}
