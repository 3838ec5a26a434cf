import type { Disposition } from './campaign-status.ts'

/**
 * What became of calls, on paper, in exports and on a light screen, whose tokens (web/src/styles/tokens.css) are compared with these: reached, to
 * be tried again, refused, given up; apart by lightness within each.
 */
export const outcomeColours: Record<Disposition, string> = {
  ANSWER: '#17935b',
  'NO ANSWER': '#8b857a',
  BUSY: '#c8701f',
  CONGESTION: '#94480b',
  FAILED: '#d92d20',
  CANCEL: '#5c5850',
  INVALID: '#8a1c14',
  REJECTED: '#d9566e',
  LOST: '#35332e',
}
