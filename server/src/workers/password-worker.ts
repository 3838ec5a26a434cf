import type { PasswordFault } from '@ghanti/contract/passwords.ts'
import { threadInTurn } from './thread-in-turn.ts'

export type PasswordJob = { password: string; words: readonly string[] }

function judge(what: string) {
  return threadInTurn<PasswordJob, PasswordFault | null>({
    url: new URL('./password-thread.ts', import.meta.url),
    what,
    secondsMax: 30,
    staysMs: 60_000,
  })
}

/**
 * Judges a password in a thread of its own: a crafted one takes a second of a processor. Those who were mailed a link do not wait for those who
 * have accounts below them.
 */
export const judgeForAccount = judge('judging a password')
export const judgeForLink = judge('judging the password of a link')
