import { operatorLabel } from '@ghanti/contract/operators.ts'

export const texts = {
  title: 'SIP messages',
  of: (trunk: string, dialer: string, time: string) => `${trunk} on ${dialer}, ${time}`,
  none: 'No messages of this call are kept.',
  noneWhy:
    'They appear about three seconds after the end of a call. The last 1,000 calls of each dialer are kept for two weeks at most: all test calls and, from a busy dialer, some of the others.',
  lookAgain: 'Look again',
  pdd: (ms: string) => `Post-dial delay ${ms} ms`,
  noPdd: 'It never rang',
  pcap: 'Download pcap',
  text: 'Download text',
  secrets:
    'Passwords, answers to password challenges and media keys were removed. Telephone numbers are in the messages.',
  messages: 'Messages in order',
  dialer: 'Dialer',
  operator: 'Operator',
  after: (seconds: string) => `${seconds} s`,
  sent: 'to the operator',
  received: 'from the operator',
  whole: (transport: string, from: string, to: string) => `${transport}, ${from} to ${to}`,
  qualityOf: (trunk: string) => `Quality of ${trunk}`,
  quality: 'Quality',
  backToTrunks: 'Trunks',
  qualityIntro:
    'The last 24 hours. Loss and jitter are measured in one of fifty answered calls; those of the sound that we send are what the operator reports.',
  noCalls: 'No calls in the last 24 hours.',
  columns: {
    operator: 'Operator',
    calls: 'Calls',
    answered: 'Answered',
    pdd: 'Post-dial delay',
    received: 'Received: loss, jitter',
    sent: 'Sent: loss, jitter',
  },
  all: 'All',
  operators: operatorLabel,
  ms: (ms: string) => `${ms} ms`,
  way: (loss: string, jitter: string) => `${loss} %, ${jitter} ms`,
}
