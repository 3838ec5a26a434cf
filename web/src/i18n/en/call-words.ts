/** Words about calls for several screens. */
import type { Disposition } from '@ghanti/contract/campaign-status.ts'

export const dispositionNames = {
  ANSWER: 'Answered',
  'NO ANSWER': 'No answer',
  BUSY: 'Busy',
  CONGESTION: 'Congestion',
  FAILED: 'Failed',
  CANCEL: 'Cancelled',
  INVALID: 'Invalid number',
  REJECTED: 'Rejected',
  LOST: 'Lost',
} satisfies Record<Disposition, string>

/** For one of several menus. */
export const keysOfMenu = (menu: string, keys: string) => `Menu ${menu}: ${keys}`
