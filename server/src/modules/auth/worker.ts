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

/** A crafted password takes a second of a processor. A mailed link's holder does not wait for those who have accounts below them. */
export const faultForAccount = checker('judging a password')
export const faultForLink = checker('judging the password of a link')
