import { nepalDayOf } from '@ghanti/contract/time.ts'

const longestName = 120

/** 'Dashain rows 2026-11-23.xlsx': the campaign, what is in the file, and the day, without signs that a file system refuses. */
export function fileNameOf(content: string, ending: string, campaign: string | null, at: Date): string {
  const name = namedInFile(campaign ?? '')
  return `${name === '' ? '' : `${name} `}${content} ${nepalDayOf(at)}.${ending}`
}

export function namedInFile(name: string): string {
  const named = name.replaceAll(/[/\\:*?"<>|%#]/g, '_').replaceAll(/^\.+/g, '')
  return [...named].slice(0, longestName).join('').trim()
}
