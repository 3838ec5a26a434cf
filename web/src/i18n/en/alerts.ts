import { brokenRule, faultWords, invariantWords } from '@ghanti/contract/alert-words.ts'
import type { FaultKind } from '@ghanti/contract/alerts.ts'

export const texts = {
  filterLabels: {
    state: 'State',
    states: { open: 'Open', cleared: 'Cleared', all: 'Open and cleared' },
    judge: 'A rule was broken',
  },
  title: 'Alerts',
  subtitle:
    'What needs attention. An alert stays until somebody clears it; alerts about trunks, gateways, campaigns on hold and the speech engine clear by themselves once these work again.',
  columns: {
    raised: 'Since',
    kind: 'What happened',
    subject: 'Where',
    detail: 'Cause',
    times: 'Times',
    todo: 'What to do',
    action: 'Action',
  },
  kinds: faultWords,
  judge: brokenRule,
  rules: invariantWords,
  todo: {
    trunk_held: 'Look at the trunk’s state and last failure, and repair it. A probe call then lifts the hold.',
    campaign_held:
      'Test its trunk with a number that you know. If that one rings, the campaign’s numbers are dead; otherwise repair the trunk. A call that rings lifts the hold.',
    calls_lost: 'There is nothing to repair. Find out why the dialer failed.',
    outcome_parked: 'Read the table outcome_parked and remove the cause. The call stays open until then.',
    uncollected: 'Compare the call with the operator’s bill, and check the dialer’s clock.',
    prompt: 'Check that the dialer can read the folder or address of the prompts.',
    record: 'Compare both with the operator’s bill, and correct the account by hand.',
    recording: 'The call is settled. Check the dialer and its disk.',
    mail_failed: 'Correct the account’s e-mail address, or check the mail server.',
    speech_down: 'Restart it, or correct its address and token. Campaigns that speak values wait for it.',
    dialer_down: 'Restart it, or repair its network. Its calls end as lost after the wait in Settings.',
    gateway_held:
      'Look at the gateway’s state and last error, and repair it. Meanwhile messages wait or take another route.',
    partitions:
      'Find out from the log of the worker processes why the database creates no partition, and repair it before the ids reach the end.',
    archive: 'Nothing was removed. Check the disk and the log of the worker processes; the next night tries again.',
    standby:
      'Repair the standby, or make it synchronous. If the database’s primary dies before that, the newest calls and payments may be lost.',
    no_keys:
      'Ask the operator: ‘With which payload number of RTP do you send telephone-event (RFC 4733)? Why does no key of our calls arrive?’ If keys come as tones or by INFO, choose that in the trunk’s advanced settings.',
    one_way_sound:
      'Ask the operator: ‘From and to which addresses and ports does your sound go? In the sampled calls it passes one way only.’ Check the firewall for RTP, and the dialer’s public address.',
    dead_air:
      'Ask the operator: ‘Why do calls that you report as answered have no sound?’ Check the firewall for RTP, and the codecs of the trunk. The people called hear nothing.',
    short_calls:
      'Ask the operator: ‘Why are so many calls answered and cut within 3 s? Is it a limit, a filter, or false answer supervision?’ Listen to a test call over the trunk.',
    contradicting_answers:
      'Ask the operator: ‘Your SDP answers name different payload numbers for telephone-event. Which one do you use?’ Send the SIP messages of a call with it.',
    receipts_unread:
      'Look at the samples on the gateway’s page. Correct its settings, or ask the operator for the usual form. Until then these messages stay Submitted, and end as Unknown.',
    inbox_flood: 'Ask the operator who sends them. Opt-outs are still accepted; the count starts again tomorrow.',
  } satisfies Record<FaultKind, string>,
  invariantTodo: 'Stop all dialling, and find the cause before you continue.',
  more: (count: string) => `And ${count} more, which the CSV file has`,
  clear: 'Clear',
  cleared: (time: string) => `Cleared ${time}`,
  question: 'Are you sure that this has been taken care of? The alert will no longer be shown as open.',
  questionOfMany: (count: string) =>
    `Are you sure that these ${count} have been taken care of? The alerts will no longer be shown as open.`,
  allCleared: 'They have already been cleared.',
  alertId: 'The alert',
  failure: 'The alert was not cleared',
}
