import type { KeyScope } from '@ghanti/contract/keys.ts'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { testHttp } from '../../testing/http.ts'
import { newApiKey } from '../../testing/keys.ts'
import { newUser } from '../../testing/seed.ts'

const app = await testApp()
const http = await testHttp(app)

type Refused = { errors: { text: string }[] }

test('a key composes calls, but no messages after them without their scope', async () => {
  const user = await newUser(app)
  const campaign = { campaignName: 'By key', templateId: 0, cli: '015970001', baseId: 1, smsCli: 'GHANTI' }
  const compose = async (scopes: KeyScope[], more: object) => {
    const { headers } = await newApiKey(app, user, { scopes })
    const payload = { ...campaign, ...more }
    return http.inject({ method: 'POST', url: '/api/obd/campaign/compose', headers, payload })
  }
  const thanks = { smsSuccessText: 'Thank you' }
  expect((await compose(['campaigns:write'], thanks)).json<Refused>().errors[0]?.text).toBe(
    'needs the scope messages:write',
  )
  expect((await compose(['campaigns:write'], {})).statusCode, 'nothing of it is there').toBe(400)
  expect((await compose(['campaigns:write', 'messages:write'], thanks)).statusCode).toBe(400)
})
