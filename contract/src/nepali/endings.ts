/** Case endings and postpositions, which are written onto the noun before them. */
const beginsWithEnding = /^(?:मा|को|का|की|कै|ले|लाई|बाट|सँग|भन्दा|मध्ये|बारे|पछि|अघि|सम्म|देखि)(?![\u0900-\u0963\u0970-\u097f])/

/** Letters and vowel signs, without digits and danda. */
const lastLetter = /[\u0900-\u0963\u0970-\u097f]$/

/** What separates a noun from its case ending: nothing in Devanagari; a blank after Latin letters, digits and quotes. */
export function gapAfter(noun: string): '' | ' ' {
  return lastLetter.test(noun) ? '' : ' '
}

/** A noun and the text about it, joined when that text begins with a case ending. */
export function beside(noun: string, text: string): string {
  return noun + (beginsWithEnding.test(text) ? gapAfter(noun) : ' ') + text
}
