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
    const { name, query, ...settings } = preset
    const said = query + settings.body + JSON.stringify(settings.headers)
    for (const place of ['{from}', '{to}', '{text}', '{token}']) expect(said).toContain(place)
    const url = `https://api.aggregator.example/sms${query}`
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
