import { noticeSecondsMax } from '@ghanti/contract/recording-notice.ts'

export const noticeFaults = {
  unspeakable: (why: string) => `cannot be spoken: ${why}`,
  missing: 'needs the notice in both languages first',
  tooLong: (ms: number) => `takes ${(ms / 1000).toFixed(1)} seconds to say, at most ${noticeSecondsMax} are taken`,
}
