import { partNames } from '@ghanti/contract/part-names.ts'

const callsOf = (count: string) => (count === '1' ? '1 call' : `${count} calls`)

export const texts = {
  title: 'Answers',
  none: 'Nobody has answered yet.',
  noKeys: 'This campaign asks for no key.',
  unknown: (count: string) =>
    count === '1'
      ? '1 call that was answered is not included: what it heard is not known.'
      : `${count} calls that were answered are not included: what they heard is not known.`,
  menu: (name: string, asked: string) => `${name}: answers of ${callsOf(asked)}`,
  key: 'Key',
  meaning: 'What it does',
  count: 'Calls',
  share: 'Share',
  percent: (percent: string) => `${percent} %`,
  meanings: {
    recorded: 'is recorded',
    optin: 'opts in',
    optout: 'opts out',
    action: 'asks for the action',
    next: 'goes on to the next menu',
    agent: (number: string) => `calls the agent ${number}`,
  },
  wrong: 'Wrong keys only',
  noKey: 'No key',
  left: 'Hung up before pressing a key',
  dropOff: 'Where they hung up',
  worst: (percent: string, part: string) => `${percent} % of those who came to “${part}” hung up there.`,
  part: 'Part',
  heard: 'Got this far',
  hungUp: 'Hung up there',
  hungUpShare: 'Share of them',
  ends: (completed: string, cut: string, unseen: string) =>
    `Heard to the end: ${callsOf(completed)}. Ended by us earlier: ${cut}. End not seen: ${unseen}.`,
  /** 'Call or write to these 5', of which the first and the last part are buttons. */
  these: {
    call: (_count: string) => 'Call',
    or: 'or',
    write: (count: string) => (count === '1' ? 'write to this one' : `write to these ${count}`),
    callLabel: (count: string, key: string) =>
      count === '1' ? `Call the one who pressed ${key}` : `Call the ${count} who pressed ${key}`,
    writeLabel: (count: string, key: string) =>
      `${count === '1' ? 'write to this one' : `write to these ${count}`} who pressed ${key}`,
  },
  funnel: 'How far they listened',
  lost: (count: string) => `${count} hung up`,
  everyPart: 'Every part of the call',
  keysCsv: 'Answers as CSV',
  dropOffCsv: 'Drop-off as CSV',
  parts: {
    ...partNames,
    agent: 'The agent’s telephone rings',
    talk: 'Talk with the agent',
  },
  silence: (part: string) => `Silence after ${part}`,
}
