import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { httpPresets } from './sms-gateway-presets.ts'
import { smsGatewayRoutes } from './sms-gateways.ts'
import { isSuccess, messageIdIn, idRuleOf, successRuleOf } from './sms-reply-rule.ts'

/** On the wire '' counts as absent. */
const withoutEmpty = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

test.each(httpPresets)(
  'the preset $name says who writes what to whom, with the secret, and makes a gateway',
  (preset) => {
    const { name, query, url: usual = 'https://api.aggregator.example/sms', ...settings } = preset
    const said = query + settings.body + JSON.stringify(settings.headers)
    for (const place of ['{from}', '{to}', '{text}', '{token}']) expect(said).toContain(place)
    const url = `${usual}${query}`
    const gateway = { gatewayName: name, driver: 'http', url, ...settings, token: 'secret', window: 5, tps: 10 }
    expect(z.safeParse(smsGatewayRoutes.create.input, withoutEmpty(gateway)).error).toBeUndefined()
  },
)

test('the preset json takes a reply for success that has an id, and no other', () => {
  const json = httpPresets.find(({ name }) => name === 'json')
  const [success, id] = [successRuleOf(json?.success ?? ''), idRuleOf(json?.messageId ?? '')]
  if (!success || !id) throw new Error('the preset has no rules')
  const answers = (text: string) => isSuccess(success, { isOk: true, text })
  expect(answers('{"id":"a1"}')).toBe(true)
  expect(messageIdIn(id, '{"id":"a1"}')).toBe('a1')
  expect(answers('{"error":"no credit"}')).toBe(false)
  expect(answers('{"id":null}')).toBe(false)
})

test('the preset kannel takes both replies of success and no other, and Nepali leaves as Unicode', () => {
  const kannel = httpPresets.find(({ name }) => name === 'kannel')
  const success = successRuleOf(kannel?.success ?? '')
  if (!kannel || !success) throw new Error('the preset has no rule')
  const answers = (text: string) => isSuccess(success, { isOk: true, text })
  expect(['0: Accepted for delivery', '3: Queued for later delivery'].map(answers)).toEqual([true, true])
  expect(['4: Authorization failed for sendsms', 'Temporal failure, try again later.'].map(answers)).toEqual([
    false,
    false,
  ])
  expect(kannel.query).toContain('charset=UTF-8&coding={coding}')
})
