import { nepalDayOf } from '@ghanti/contract/time.ts'

const longestName = 120

/**
 * 'Dashain rows 2026-11-23.xlsx': the campaign, what is in the file, and the day, without signs that a file system refuses. What is null is left
 * out.
 */
export function fileNameOf(content: string | null, ending: string, campaign: string | null, at: Date): string {
  const parts = [namedInFile(campaign ?? ''), content, nepalDayOf(at)]
  return `${parts.filter((part) => part !== null && part !== '').join(' ')}.${ending}`
}

function namedInFile(name: string): string {
  const named = name.replaceAll(/[/\\:*?"<>|%#]/g, '_').replaceAll(/^\.+/g, '')
  return [...named].slice(0, longestName).join('').trim()
}
