import { expect, test } from 'vitest'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { smsGatewayRoutes } from '@ghanti/contract/sms-gateways.ts'
import { smsRouteRoutes } from '@ghanti/contract/sms-routes.ts'
import { Operators, SenderName } from '@ghanti/contract/sms-senders.ts'
import { OperatorPrefixes } from '@ghanti/contract/operators.ts'
import { TextApproval } from '@ghanti/contract/sms-texts.ts'
import { gatewayWords } from '../../server/src/modules/sms-gateways/rules.ts'
import { routeWords } from '../../server/src/modules/sms-routes/rules.ts'
import { senderWords } from '../../server/src/modules/sms-senders/rules.ts'
import { textWords } from '../../server/src/modules/sms-texts/rules.ts'

/** Names in Nepali, so that any Latin letter left is our own English. */
const name = 'हिमाल'
type Schema = { safeParse(value: unknown): { error?: { issues: { message: string }[] } | undefined } }
const said = (schema: Schema, value: unknown) => schema.safeParse(value).error?.issues.map(({ message }) => message)
const prefixes = { ntc: [], ncell: [], smart: [] }

const gateway = { gatewayName: name, tps: 1 }
const http = { ...gateway, driver: 'http', url: 'https://127.0.0.1/{to}', body: '{text}', success: '1' }
const create = smsGatewayRoutes.create.input
const bad = [
  { ...http, url: 'ftp://127.0.0.1' },
  { ...http, url: 'https://{to}/' },
  { ...http, url: 'https://१@127.0.0.1/{to}' },
  { ...http, url: 'https://127.0.0.1/' },
  { ...http, headers: 1 },
  { ...http, headers: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`h${n}`, '1'])) },
  { ...http, headers: { Authorization: '1' } },
  { ...http, receiptSecret: 'short' },
  { ...http, receipt: { id: '1', status: '1', delivered: 1, failed: Array(51).fill('1') } },
  { ...http, success: '$.status', messageId: 'id' },
  { ...gateway, driver: 'smpp', certificate: '1' },
]

test.each([
  ...Object.values(gatewayWords).map((words) => (typeof words === 'string' ? words : words(1 as never))),
  routeWords.noGateway,
  routeWords.overlaps('Nepal Telecom, Ncell, Smart Telecom', null),
  routeWords.overlaps('Ncell', name),
  ...bad.flatMap((body) => said(create, body) ?? ['nothing']),
  ...(said(smsRouteRoutes.create.input, { operators: ['ntc'], steps: 1 }) ?? ['nothing']),
  ...(said(smsRouteRoutes.create.input, {
    operators: ['ntc'],
    steps: Array.from({ length: 11 }, (_, n) => ({ gatewayId: n + 1 })),
  }) ?? ['nothing']),
  ...Object.values(senderWords).map((words) => (typeof words === 'string' ? words : words(name))),
  textWords.tooMany,
  textWords.taken(name),
  textWords.decided('Approved'),
  textWords.needsApproval({ by: 'account' }),
  textWords.needsApproval({ by: 'word', word: name }),
  textWords.pending(name),
  textWords.rejected(name),
  ...(said(SenderName, '!!!') ?? ['nothing']),
  ...(said(Operators, 'x') ?? ['nothing']),
  ...(said(Operators, []) ?? ['nothing']),
  ...(said(Operators, ['ntc', 'ntc']) ?? ['nothing']),
  ...(said(TextApproval, { promotional: true, words: 'x' }) ?? ['nothing']),
  ...(said(TextApproval, { promotional: true, words: Array(501).fill('x') }) ?? ['nothing']),
  ...(said(OperatorPrefixes, { ...prefixes, ntc: 'x' }) ?? ['nothing']),
  ...(said(OperatorPrefixes, { ...prefixes, ntc: ['12'] }) ?? ['nothing']),
  ...(said(OperatorPrefixes, { ...prefixes, ntc: Array(101).fill('984') }) ?? ['nothing']),
  ...(said(OperatorPrefixes, { ...prefixes, ntc: ['984'], ncell: ['984'] }) ?? ['nothing']),
])('in Nepali: %s', (english) => {
  // Abbreviations that Nepali uses unchanged, and literal input.
  const nepali = nepaliOf(english).replaceAll(/\$\.[\w.[\]]+|\bOK\b|\{.+\}|https?:\/\/|\b(DATABASE_URL|TLS|SHA)\b/g, '')
  expect(nepali).not.toMatch(/[A-Za-z]/)
  expect(nepali).toMatch(/[\u0900-\u097f]/)
})
