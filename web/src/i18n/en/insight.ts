import { operatorLabel, type Operator } from '@ghanti/contract/operators.ts'
import { answerWords } from '@ghanti/contract/insight-answers.ts'
import { figureWords } from '@ghanti/contract/insight-figures.ts'
import type { CallDimension, Grain, MessageDimension } from '@ghanti/contract/insight.ts'
import { templateTypes } from './template-types.ts'

export const texts = {
  title: 'Insight',
  subtitle: {
    user: 'Your calls and messages over time, compared with the same number of days before.',
    reseller: 'Your customers’ calls and messages over time, compared with the same number of days before.',
    superAdmin: 'All calls and messages over time, compared with the same number of days before.',
  },
  print: 'Print',
  what: 'Show',
  whats: { calls: 'Calls', messages: 'Messages' },
  account: 'Account',
  own: (username: string) => `${username} and all below`,
  platform: 'The platform',
  by: 'By',
  grains: { minute: 'Minute', hour: 'Hour', day: 'Day', weekday: 'Hour of the week' } satisfies Record<Grain, string>,
  of: 'Compare',
  nothing: 'Nothing',
  dimensions: {
    customer: 'Customers',
    campaign: 'Campaigns',
    operator: 'Operators',
    trunk: 'Trunks',
    cli: 'CLIs',
    template: 'Templates',
    agent: 'Agents',
    gateway: 'Gateways',
    sender: 'Sender IDs',
  } satisfies Record<CallDimension | MessageDimension, string>,
  filters: { started: 'Days', operator: 'Operator', template: 'Template', trunk: 'Trunk', campaign: 'Campaign' },
  operators: operatorLabel satisfies Record<Operator, string> as Record<string, string>,
  templates: { ...templateTypes } as Record<string, string>,
  figures: figureWords,
  meanings: {
    asr: 'Answered, of all calls that were not cancelled',
    acd: 'How long an answered call was',
    ner: 'Reached a telephone, of all calls that were not cancelled',
    pdd: 'From dialling until it first rang',
    keyed: 'Of answered calls',
    dropped: 'Of answered calls: hung up before the end',
    accepted: 'Of all messages',
    delivered: 'Of accepted messages',
  },
  percent: (value: string) => `${value} %`,
  seconds: (value: string) => `${value} s`,
  none: '–',
  before: (value: string) => `before: ${value}`,
  beforeRange: (from: string, to: string) => `Before: ${from} to ${to}`,
  range: (from: string, to: string) => `${from} to ${to}`,
  change: {
    same: 'Same as before',
    fromNone: 'None before',
    percent: { more: (by: string) => `${by} % more than before`, less: (by: string) => `${by} % less than before` },
    points: {
      more: (by: string) => `${by} points more than before`,
      less: (by: string) => `${by} points less than before`,
    },
  },
  overview: 'Figures of the range',
  overTime: { calls: 'Calls over time', messages: 'Messages over time' },
  chartOf: (title: string, sentence: string) => `${title}. ${sentence}`,
  sentence: (total: string, share: string, before: string) =>
    `${total} in all, ${share} of them answered; before: ${before}.`,
  messagesSentence: (total: string, share: string, before: string) =>
    `${total} in all, ${share} of the accepted ones delivered; before: ${before}.`,
  seriesBefore: 'Before',
  table: 'As a table',
  time: 'Time',
  week: 'Calls by hour of the week',
  weekMessages: 'Messages by hour of the week',
  weekdays: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  weekday: 'Day',
  answers: {
    ...answerWords,
    keys: 'Keys pressed',
    keysHint: (keyed: string, answered: string) =>
      `A key was pressed in ${keyed} of ${answered} answered calls. A call with several keys counts once for each.`,
    noKeys: 'No key was pressed in these calls.',
    left: 'When they hung up',
    leftHint: (dropped: string, answered: string) =>
      `The customer hung up before the end in ${dropped} of ${answered} answered calls. The page of each campaign shows in which part.`,
    noneLeft: 'Nobody hung up before the end.',
    byDay: 'Keys and hanging up by day',
    notKept:
      'Keys and hanging up are kept for one operator filter, template or trunk at a time: remove one filter to see them.',
  },
  most: (name: string) => `${name} with the most`,
  name: 'Name',
  leftOut: (count: string) => `Only the largest are shown; ${count} more are not.`,
  empty: 'No calls started in these days. Choose other days, or compose a campaign.',
  emptyMessages: 'No messages were sent in these days. Choose other days.',
  filling: 'Calls from before the last upgrade are still being counted, so the figures of older days will grow.',
  notTaken: (field: string) => `The address asks for ${field} that is not known here.`,
}
