import type { PasswordFault } from '@ghanti/contract/passwords.ts'
import { threadInTurn } from '../../workers/thread-in-turn.ts'

export type PasswordJob = { password: string; words: readonly string[] }

function checker(what: string) {
  return threadInTurn<PasswordJob, PasswordFault | null>({
    url: new URL('./worker-thread.ts', import.meta.url),
    what,
    secondsMax: 30,
    staysMs: 60_000,
  })
}

/**
 * Checks a password in a thread of its own: a crafted one takes a second of CPU. People who were mailed a link do not wait for those who
 * have accounts below them.
 */
export const faultForAccount = checker('rating a password')
export const faultForLink = checker('rating the password of a link')
