import type { Disposition } from './campaign-status.ts'

export const dispositionLabel = {
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
