/** Case endings and postpositions, which are written onto the noun before them. */
const beginsWithEnding = /^(?:मा|को|का|की|कै|ले|लाई|बाट|सँग|भन्दा|मध्ये|बारे|पछि|अघि|सम्म|देखि)(?![\u0900-\u0963\u0970-\u097f])/

/** Letters and vowel signs, but neither digits nor a danda. */
const lastLetter = /[\u0900-\u0963\u0970-\u097f]$/

/** The blank between a noun and its ending: none in Devanagari; one after Latin letters, digits and quotes. */
export function gapAfter(noun: string): '' | ' ' {
  return lastLetter.test(noun) ? '' : ' '
}

/** A noun and what is said of it, joined when that begins with a case ending. */
export function beside(noun: string, text: string): string {
  return noun + (beginsWithEnding.test(text) ? gapAfter(noun) : ' ') + text
}
