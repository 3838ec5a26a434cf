import { bytesOfMegabyte, type Quotas, type Stored } from '@ghanti/contract/quotas.ts'

/** What is refused when it exceeds a quota. Recordings are missing here: a conversation that would exceed theirs is not recorded. */
export type Limited = Exclude<keyof Stored, 'recordingBytes'>

/** Why this much more is too much, continuing a sentence after the field's label. Null when there is room or nothing is added. */
export function overQuota(what: Limited, more: number, used: Stored, quotas: Quotas): string | null {
  const quota = what === 'bytes' ? quotas.megabytes * bytesOfMegabyte : quotas[what]
  if (more === 0 || used[what] + more <= quota) return null
  const [taken, allowed] = [counted(used[what]), counted(quota)]
  switch (what) {
    case 'bytes':
      return `needs ${megabytes(more)} MB, and ${megabytes(used.bytes)} of the ${counted(quotas.megabytes)} MB that this account may store are used: delete contact files, voice files, voice packs, logos or exports`
    case 'rows':
      return `needs ${counted(more)} rows, and ${taken} of the ${allowed} that this account may store are used: wait until campaigns have called theirs, or delete contact files`
    case 'campaigns':
      return `is one too many: ${taken} campaigns of this account are not finished, and ${allowed} may be`
    case 'prompts':
      return `is one too many: this account has ${taken} voice files, and ${allowed} are allowed`
    case 'blacklist':
      return `would make ${counted(used.blacklist + more)} numbers on this account’s blacklist, and ${allowed} are allowed`
  }
}

/** The least a file takes on disk. */
export const blockBytes = 4096

/** Of a recording of a word: 8 kHz, mono, 16 bit, as telephones play it. */
export const wavBytesOf = (ms: number): number => 44 + ms * 16

/** What values that were spoken for an account may take: at 50 kB each, 200,000 of them by default. */
export const spokenBytesMax = ({ megabytes }: Quotas): number => 20 * megabytes * bytesOfMegabyte

/** Files for which no account needs room, and what bounds each kind. */
export const uncounted = {
  platform: 'the platform: one logo, two notices, ten voice packs; each file replaces another',
  recording: 'a conversation: it began while its account had room, and counts against the quota of recordings',
  report: 'a report: one of a campaign, made of calls that were paid for; a new one replaces it',
  speech:
    'a spoken value: made once for everybody, within a limit of its own of the account that it is made for, and deleted a month after the last campaign that says it',
  archive: 'an archive: what it has leaves the database',
  restored: 'a backup: all of it is counted already',
} as const
export type Uncounted = keyof typeof uncounted

const counted = (n: number): string => n.toLocaleString('en')
/** Rounded up, so that a little never reads as nothing. */
const megabytes = (bytes: number): string => (Math.ceil((bytes / bytesOfMegabyte) * 10) / 10).toLocaleString('en')

/** Roughly what a message after a row's call takes on disk. */
export const textRowBytes = 64
