import { leftOutOf, refusedOf } from './rules.ts'

/** Of a campaign: how many lines of its file were refused, how many of them by the file itself, and since when the file is gone. */
export type RefusedOfCampaign = {
  invalid: number | null
  duplicate: number | null
  refused_of_file: number | null
  file_gone_at: Date | null
}

/** Null: all refused lines of the campaign were kept with it, or it is not prepared yet. */
function countsOf({ invalid, duplicate, refused_of_file: refusedOfFile }: RefusedOfCampaign) {
  return invalid === null || duplicate === null || refusedOfFile === null ? null : { invalid, duplicate, refusedOfFile }
}

/** How many of the refused lines can be downloaded. */
export function refusedKept(d: RefusedOfCampaign): number {
  const counts = countsOf(d)
  if (!counts) return (d.invalid ?? 0) + (d.duplicate ?? 0)
  const { kept, template } = refusedOf(counts)
  return d.file_gone_at === null ? kept : template.kept
}

/** What the download says at its end about the others. */
export function leftOutOfDownload(d: RefusedOfCampaign): string[] {
  const counts = countsOf(d)
  if (!counts) return []
  const { refusedOfFile } = counts
  if (d.file_gone_at === null || refusedOfFile === 0) return leftOutOf(counts)
  const gone = `${refusedOfFile.toLocaleString('en')} rows refused for their number or length went with the contact file`
  return [gone, ...leftOutOf({ ...counts, invalid: counts.invalid - refusedOfFile, refusedOfFile: 0 })]
}
