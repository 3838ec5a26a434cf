import { ownValue } from './own-values.ts'
import type { FaultKind, InvariantRule } from './alerts.ts'

/** The English of alerts, on screen and in their CSV. */
export const faultWords = {
  trunk_held: 'Trunk on hold',
  campaign_held: 'All calls of a campaign are refused',
  calls_lost: 'Calls lost',
  outcome_parked: 'An outcome cannot be stored',
  uncollected: 'A call cost more than was reserved',
  prompt: 'A prompt was not heard',
  record: 'The dialer’s record differs',
  recording: 'A recording is missing',
  mail_failed: 'An e-mail was not delivered',
  speech_down: 'The speech engine does not answer',
  dialer_down: 'A dialer does not answer',
  gateway_held: 'An SMS gateway is down',
  inbox_flood: 'More incoming messages than are kept',
  receipts_unread: 'Receipts of a gateway cannot be read',
  partitions: 'Room for new calls or messages is running out',
  archive: 'Old calls or messages could not be archived',
  standby: 'The database has no synchronous standby',
  no_keys: 'A trunk’s calls get no keys',
  one_way_sound: 'Sound passes one way only',
  dead_air: 'Answered calls are silent',
  short_calls: 'Very many calls are shorter than 3 s',
  contradicting_answers: 'A trunk’s answers contradict themselves',
} satisfies Record<FaultKind, string>

export const brokenRule = 'A rule was broken'
export const invariantWords = {
  hours: 'calling hours',
  channels: 'channels',
  rate: 'calls per second',
  suppression: 'blacklist',
  route: 'trunks of the campaign',
  operator: 'operator of the trunk',
  twice: 'called twice',
  attempts: 'attempts',
  money: 'reserved money',
  counts: 'counts',
  books: 'books',
} satisfies Record<InvariantRule, string>

/** What the list shows of a stored kind. One without words is shown as it is. */
export function alertTitle(kind: string): string {
  const rule = /^judge: (.+)$/.exec(kind)?.[1]
  const words: Readonly<Record<string, string>> = rule === undefined ? faultWords : invariantWords
  const said = ownValue(words, rule ?? kind) ?? rule ?? kind
  return rule === undefined ? said : `${brokenRule}: ${said}`
}
