import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'
import { faultOf, checkedPart, type PasswordFault } from '@ghanti/contract/passwords.ts'

type StrengthChecker = (password: string, words: readonly string[]) => PasswordFault | null

/** Its dictionaries take some 30 MB and a quarter of a second to make ready. `words`: what an attacker may know of the account. */
export function strengthChecker(): StrengthChecker {
  const estimator = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: 10, // instead of 100, because each substitution takes another round
  })
  return (password, words) => faultOf(password, words, estimator.check(checkedPart(password), [...words]))
}
