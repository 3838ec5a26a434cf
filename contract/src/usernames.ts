import * as z from 'zod/mini'
import { nameMax, Text } from './values.ts'

// Two names that look the same would be two accounts, so a name is of one script, and of the signs that keyboards have: letters of others look
// like Latin ones (Cyrillic е, the phonetic ɑ, í beside i), as do signs (U+2010 like '-'). After Unicode TR39, 'single script'.
const latin = /^[A-Za-z0-9 !-/:-@[-`{-~]+$/
const devanagari = /^[\u0900-\u097f !-/:-@[-`{-~]+$/
const devanagariLetter = /[\u0904-\u0939\u0958-\u0961\u0972-\u097f]/
/** 'अ' and the sign 'ा' look like 'आ': Unicode says not to write it so. */
const vowelSignAfterVowel = /[\u0904-\u0914\u0972-\u0977][\u093a\u093b\u093e-\u094c\u094e\u094f\u0955-\u0957]/

function isOfOneScript(name: string): boolean {
  return latin.test(name) || (devanagari.test(name) && devanagariLetter.test(name) && !vowelSignAfterVowel.test(name))
}

/** A name that is given from now on; those of before go on working. One that only looks different is written as what it looks like: wide letters, two blanks. */
export const NewUsername = Text(nameMax).check(
  z.overwrite((name) => name.normalize('NFKC').replace(/ {2,}/g, ' ')),
  z.maxLength(nameMax, { error: `is longer than ${nameMax} characters` }), // one sign may have become several
  z.refine(isOfOneScript, {
    error:
      'must be of Latin letters and digits or of Devanagari ones, not of both, with blanks and the signs of a keyboard',
  }),
)
