import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import { faultOf, checkedPart, wordsAtHand, type NamesAtHand, type PasswordFault } from '@ghanti/contract/passwords.ts'

/** A quarter of a megabyte with its dictionaries, so it loads when somebody starts typing. The server rates again, with English words too. */
const estimator = new ZxcvbnFactory({
  dictionary: common.dictionary,
  graphs: common.adjacencyGraphs,
  l33tMaxSubstitutions: 10,
})

export type Strength = { fault: PasswordFault | null; score: number }

export function strengthOf(password: string, names: NamesAtHand): Strength {
  const words = wordsAtHand(names)
  const estimate = estimator.check(checkedPart(password), words)
  return { fault: faultOf(password, words, estimate), score: estimate.score }
}
