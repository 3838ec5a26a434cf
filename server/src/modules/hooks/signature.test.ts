import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newSecret, signedHeaders } from './actions-signature.ts'

test('the published vector of Standard Webhooks has the published signature', () => {
  const published = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1614265330_000),
    body: '{"test": 2432232314}',
  }
  expect(signedHeaders(published, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toMatchObject({
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('receivers with the new secret and with the one before verify it with a library of others, and no others do', () => {
  const [now, before, other] = [newSecret(), newSecret(), newSecret()]
  const body = JSON.stringify({ type: 'hook.test', data: { name: 'सीता' } })
  const headers = signedHeaders({ id: 'evt_1', at: new Date(), body }, [now, before])
  for (const secret of [now, before]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(other).verify(body, headers)).toThrow()
  expect(() => new Webhook(now).verify(`${body} `, headers)).toThrow()
})
