import * as z from 'zod/mini'
import { nameMax, Text } from './values.ts'

// Two names that look alike would be two accounts, so a name uses one script and keyboard characters only. Letters of other scripts look
// like Latin ones (Cyrillic е, phonetic ɑ, í beside i), and so does punctuation (U+2010 and '-'). After Unicode TR39, 'single script'.
const latin = /^[A-Za-z0-9 !-/:-@[-`{-~]+$/
const devanagari = /^[\u0900-\u097f !-/:-@[-`{-~]+$/
const devanagariLetter = /[\u0904-\u0939\u0958-\u0961\u0972-\u097f]/
/** 'अ' with the sign 'ा' looks like 'आ'; Unicode discourages it. */
const vowelSignAfterVowel = /[\u0904-\u0914\u0972-\u0977][\u093a\u093b\u093e-\u094c\u094e\u094f\u0955-\u0957]/

function isOfOneScript(name: string): boolean {
  return latin.test(name) || (devanagari.test(name) && devanagariLetter.test(name) && !vowelSignAfterVowel.test(name))
}

/** For new names; existing ones keep working. Normalises variants that only look different: wide letters, repeated spaces. */
export const NewUsername = Text(nameMax).check(
  z.overwrite((name) => name.normalize('NFKC').replace(/ {2,}/g, ' ')),
  z.maxLength(nameMax, { error: `is longer than ${nameMax} characters` }), // normalisation may lengthen it
  z.refine(isOfOneScript, {
    error:
      'must be of Latin letters and digits or of Devanagari ones, not of both, with blanks and the signs of a keyboard',
  }),
)
