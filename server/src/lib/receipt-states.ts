import type { Receipt } from '../drivers/sms/driver.ts'

export type ReceiptState = Pick<Receipt, 'state' | 'reason'>

const accepted: ReceiptState = { state: 'accepted', reason: null }
const delivered: ReceiptState = { state: 'delivered', reason: null }
const expired: ReceiptState = { state: 'expired', reason: 'the telephone was not reached in time' }
const failed = (reason: string): ReceiptState => ({ state: 'failed', reason })
const undeliverable = failed('it could not be delivered')

/**
 * What receipts say, and what it means. `number`: message_state of SMPP 3.4, 5.2.28, and of 5.0. Words are compared by their letters. UNKNOWN is not
 * final: a final receipt may follow, and a message about which nothing else is heard ends as unknown, since it may have arrived.
 */
const table: readonly { number: number | null; words: readonly string[]; is: ReceiptState }[] = [
  { number: 0, words: ['SCHEDULED', 'SCHEDUL', 'SCHEDLD'], is: accepted },
  { number: 1, words: ['ENROUTE'], is: accepted },
  { number: 2, words: ['DELIVERED', 'DELIVRD', 'DELIVERD'], is: delivered },
  { number: 3, words: ['EXPIRED', 'EXPIRD'], is: expired },
  { number: 4, words: ['DELETED', 'DELETD'], is: failed('the gateway deleted it') },
  { number: 5, words: ['UNDELIVERABLE', 'UNDELIVERED', 'UNDELIV', 'UNDELIVRD', 'UNDELIVERD'], is: undeliverable },
  { number: 6, words: ['ACCEPTED', 'ACCEPTD', 'ACKED', 'ACK'], is: accepted },
  { number: 7, words: ['UNKNOWN', 'UNKNOWND'], is: accepted },
  { number: 8, words: ['REJECTED', 'REJECTD'], is: failed('the operator rejected it') },
  { number: 9, words: ['SKIPPED'], is: undeliverable },
  { number: null, words: ['FAILED', 'FAIL', 'FAILURE', 'NOTDELIVERED', 'DELIVERYFAILED'], is: undeliverable },
  { number: null, words: ['CANCELED', 'CANCELLED'], is: failed('the gateway deleted it') },
  { number: null, words: ['BUFFERED', 'BUFFRED', 'BUFFERD', 'QUEUED', 'PENDING', 'SENT', 'SENDING'], is: accepted },
  { number: null, words: ['SUBMITTED', 'SUBMITD'], is: accepted },
  // A message that was read has been delivered.
  { number: null, words: ['DELIVERYSUCCESS', 'DELIVEREDTOHANDSET', 'READ', 'SEEN'], is: delivered },
  { number: null, words: ['DELIVEREDTOOPERATOR'], is: accepted },
  // the states of Parlay X and OneAPI
  { number: null, words: ['DELIVEREDTOTERMINAL'], is: delivered },
  { number: null, words: ['DELIVERYIMPOSSIBLE'], is: undeliverable },
  { number: null, words: ['DELIVEREDTONETWORK', 'DELIVERYUNCERTAIN', 'MESSAGEWAITING'], is: accepted },
]

const ofNumber = new Map(table.flatMap(({ number, is }) => (number === null ? [] : [[number, is] as const])))
const ofWord = new Map(table.flatMap(({ words, is }) => words.map((word) => [word, is] as const)))

/** Fewer letters may be the beginning of anything, and so may DELIVER: a delivery can be impossible, too. */
const cutMin = 6
const cut = table.flatMap(({ number, words: [name = ''], is }) =>
  number === null || number === 2 ? [] : [{ name, is }],
)
/** Some aggregators write the reason behind one of these: REJECTED_NETWORK. */
const withReason = /^(UNDELIVERABLE|REJECTED|EXPIRED|PENDING)_/

/** In full or short, in any case, with or without blanks and underscores; or cut. Undefined: no state that we know. */
export function stateOfWord(word: string): ReceiptState | undefined {
  const written = word.trim().toUpperCase()
  const letters = written.replaceAll(/[^A-Z]/g, '')
  const known = ofWord.get(letters) ?? ofWord.get(withReason.exec(written)?.[1] ?? '')
  if (known || letters.length < cutMin) return known
  return cut.find(({ name }) => name.startsWith(letters))?.is
}

/** Of the number and the word, the one that is final counts; undefined: neither is a state. */
export function stateOf(number: number | null, word: string): ReceiptState | undefined {
  const [first, second] = [number === null ? undefined : ofNumber.get(number), stateOfWord(word)]
  return first?.state === 'accepted' ? (second ?? first) : (first ?? second)
}
