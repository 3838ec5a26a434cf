import { expect, test } from 'vitest'
import { httpPresets } from './sms-gateway-presets.ts'
import { idRuleOf, successRuleOf } from './sms-reply-rule.ts'

test.each(httpPresets)('the preset $name says who writes what to whom, with the secret, and can be read', (preset) => {
  const said = preset.query + preset.body + JSON.stringify(preset.headers)
  for (const place of ['{from}', '{mobile}', '{text}', '{token}']) expect(said).toContain(place)
  expect(successRuleOf(preset.success)).not.toBeNull()
  expect(idRuleOf(preset.messageId)).not.toBeNull()
})
