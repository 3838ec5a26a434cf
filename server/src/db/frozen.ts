import { AppError, conflict } from '../errors.ts'
import { codeOf } from '../lib/error-code.ts'

/** Of refuse_frozen, by which the database refuses what would move or change a frozen account, whoever asks for it. */
const frozenCode = 'GH010'

export const isFrozenText = 'is frozen: nothing moves until it is lifted'

/** The same in words; any other error as it is. */
export function inWordsOfFreeze(error: unknown): unknown {
  if (error instanceof AppError || codeOf(error) !== frozenCode) return error
  return conflict('userId', isFrozenText, 'frozen')
}
