import { expect, test } from 'vitest'
import { stateOf, stateOfWord } from './receipt-states.ts'

test.each([
  ['delivered', ['DELIVRD', 'DELIVERED', 'delivrd', 'Delivered', 'DELIVRD\0', 'DeliveredToTerminal']],
  ['failed', ['UNDELIV', 'UNDELIVERABLE', 'undelivered', 'REJECTD', 'REJECTED', 'DELETED', 'FAILED', 'SKIPPED']],
  ['expired', ['EXPIRED', 'expired']],
  ['accepted', ['ENROUTE', 'EN_ROUTE', 'en route', 'ACCEPTD', 'ACCEPTED', 'ACKED', 'BUFFRED', 'BUFFERED', 'SCHEDULED']],
  ['accepted', ['UNKNOWN', 'unknown', 'DeliveryUncertain', 'QUEUED', 'PENDING']],
  // cut at any letter, as message centres with short fields do
  ['failed', ['UNDELIVE', 'UNDELIVERABL', 'REJECT', 'REJECTE', 'DELETE']],
  ['expired', ['EXPIRE']],
  ['accepted', ['ACCEPT', 'ACCEPTE', 'UNKNOW', 'ENROUT']],
  // what aggregators call them
  ['delivered', ['DELIVERED_TO_HANDSET', 'delivered to handset', 'Delivery Success', 'read', 'SEEN']],
  ['failed', ['NOT_DELIVERED', 'not delivered', 'UNDELIVERD', 'DELIVERY_FAILED', 'CANCELED', 'CANCELLED', 'FAILURE']],
  ['failed', ['UNDELIVERABLE_REJECTED_OPERATOR', 'REJECTED_NETWORK', 'UNDELIVERABLE_NOT_DELIVERED']],
  ['expired', ['EXPIRED_EXPIRED', 'EXPIRED_UNKNOWN']],
  ['accepted', ['DELIVERED_TO_OPERATOR', 'PENDING_ENROUTE', 'PENDING_WAITING_DELIVERY', 'SUBMITD', 'SENDING']],
])('%s: %j', (state, words) => {
  expect(words.map((word) => stateOfWord(word)?.state)).toEqual(words.map(() => state))
})

test.each(['', '2', '000', 'WHATEVER', 'DELIVER', 'REJ', 'SUCCESS', 'NOTHING_DELIVERED', 'constructor'])(
  '%j is no state',
  (word) => expect(stateOfWord(word)).toBeUndefined(),
)

test('of number and word the final one counts, and the number where both are', () => {
  expect(stateOf(7, 'DELIVRD')?.state).toBe('delivered')
  expect(stateOf(2, 'UNKNOWN')?.state).toBe('delivered')
  expect(stateOf(2, 'EXPIRED')?.state).toBe('delivered')
  expect(stateOf(77, 'EXPIRED')?.state).toBe('expired')
  expect(stateOf(6, '')?.state).toBe('accepted')
  expect(stateOf(77, 'WHATEVER')).toBeUndefined()
})
