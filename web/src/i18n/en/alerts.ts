import type { alertKinds, JudgedRule } from '@ghanti/contract/alerts.ts'

type Kind = (typeof alertKinds)[number]

export const texts = {
  title: 'Alerts',
  subtitle:
    'What somebody must look at. An alert stays until it is cleared; a held trunk clears its own when it works again.',
  none: 'No alert is open. All is as it should be.',
  noneEver: 'Nothing was ever wrong here.',
  columns: {
    raised: 'Since',
    kind: 'What happened',
    subject: 'Where',
    detail: 'Cause',
    todo: 'What to do',
    action: 'Action',
  },
  kinds: {
    trunk_held: 'Trunk on hold',
    calls_lost: 'Calls lost',
    outcome_parked: 'An outcome that cannot be booked',
    uncollected: 'A call cost more than was reserved',
    prompt: 'A prompt was not heard',
    record: 'The dialer’s record differs',
    recording: 'A recording is missing',
    mail_failed: 'An e-mail was not delivered',
  } satisfies Record<Kind, string>,
  judge: 'A rule was broken',
  rules: {
    hours: 'calling hours',
    channels: 'channels',
    rate: 'calls per second',
    suppression: 'blacklist',
    twice: 'called twice',
    attempts: 'attempts',
    money: 'reserved money',
    counts: 'counts',
    books: 'books',
  } satisfies Record<JudgedRule, string>,
  todo: {
    trunk_held: 'See the trunk’s state and last failure, mend it; a probe lifts the hold.',
    calls_lost: 'Nothing to mend. Ask why the dialer died.',
    outcome_parked: 'Read the table outcome_parked and mend the cause; the call stays open until then.',
    uncollected: 'Compare with the operator’s bill; look at the dialer’s clock.',
    prompt: 'Look at the prompts’ folder or address as the dialer sees it.',
    record: 'Compare both with the operator’s bill; correct the account by hand.',
    recording: 'The call is booked. Look at the dialer and its disk.',
    mail_failed: 'Correct the account’s e-mail address, or look at the mail server.',
  } satisfies Record<Kind, string>,
  judgeTodo: 'Stop all dialling, and find out before going on.',
  clear: 'Clear',
  cleared: (time: string) => `Cleared ${time}`,
  question: 'Are you sure that this is looked after? The alert will not be shown as open any more.',
  failure: 'The alert was not cleared',
  showAll: 'Show cleared ones too',
  showOpen: 'Show open ones only',
}
