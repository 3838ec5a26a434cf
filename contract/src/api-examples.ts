import type { RouteKey } from './routes.ts'

/**
 * Requests of the API, in the order of a program's first day, and what is answered. A test sends each to a server and compares the answer
 * (`server/src/http/pages/examples.test.ts`), so that what documents show is what happens; ids, times and secrets are others each time.
 */
export type ApiExample = {
  call: RouteKey
  /** Among the examples of the call. */
  name: string
  title: string
  /** With the session of a person, or with a key that has only this scope. Left out: with a key for all. */
  by?: 'person' | 'messages:read'
  /** Parameters of the path, the query or the body, together. */
  input: Readonly<Record<string, unknown>>
  status: number
  answer: unknown
}

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDxxNmqeyDEt0='
const key = `gh_live_${'0123456789abcdef'.repeat(4)}a3b1c5d7`
const refused = (message: string, ...errors: { field: string; code: string; text: string }[]) => ({ message, errors })

const keyExamples: readonly ApiExample[] = [
  {
    call: 'keys.create',
    name: 'billing',
    title: 'A key for a billing system, from one network',
    by: 'person',
    input: { name: 'Billing', scopes: ['messages:write', 'hooks:write'], networks: ['203.0.113.0/24'] },
    status: 200,
    answer: { message: 'Success', keyId: 41, key },
  },
  {
    call: 'keys.create',
    name: 'tooWide',
    title: 'A network that is no network of one company',
    by: 'person',
    input: { name: 'Billing', scopes: ['messages:write'], networks: ['0.0.0.0/0'] },
    status: 400,
    answer: refused('Parameters Incorrect', {
      field: 'networks',
      code: 'network',
      text: 'is too wide: 0.0.0.0/0 (at most a /8)',
    }),
  },
  {
    call: 'keys.list',
    name: 'own',
    title: 'The keys of the account',
    by: 'person',
    input: {},
    status: 200,
    answer: [
      {
        keyId: 41,
        name: 'Billing',
        last4: 'c5d7',
        scopes: ['messages:write', 'hooks:write'],
        networks: ['203.0.113.0/24'],
        state: 'active',
        createdAt: '2026-11-28 10:15:00',
        expiresAt: '2027-11-28 10:15:00',
        endsAt: null,
        usedAt: null,
        usedFrom: null,
      },
    ],
  },
  {
    call: 'keys.roll',
    name: 'overlapping',
    title: 'A new secret; the one before works for a day more',
    by: 'person',
    input: { keyId: 41, overlapHours: 24 },
    status: 200,
    answer: { message: 'Success', keyId: 42, key: key.replace('0123', '4567') },
  },
  {
    call: 'keys.revoke',
    name: 'atOnce',
    title: 'Ends a key at once',
    by: 'person',
    input: { keyId: 42 },
    status: 200,
    answer: { message: 'Success' },
  },
]

const sendExamples: readonly ApiExample[] = [
  {
    call: 'sends.create',
    name: 'text',
    title: 'A text as it is',
    input: {
      to: '9841234567',
      from: 'HIMALBANK',
      text: 'Invoice 1042 of Rs 1,250 is due on 5 December.',
      reference: 'invoice-1042',
    },
    status: 200,
    answer: { messageId: '1204-1', state: 'waiting', segments: 1, cost: 1.5 },
  },
  {
    call: 'sends.create',
    name: 'template',
    title: 'An approved template, which values fill',
    input: {
      to: '9841234567',
      from: 'HIMALBANK',
      template: 12,
      values: { name: 'Sita', code: 4711 },
      validSeconds: 300,
      reference: 'login-88',
    },
    status: 200,
    answer: { messageId: '1204-2', state: 'waiting', segments: 1, cost: 1.5 },
  },
  {
    call: 'sends.create',
    name: 'valueMissing',
    title: 'A value lacks',
    input: { to: '9841234567', from: 'HIMALBANK', template: 12, values: { name: 'Sita' } },
    status: 400,
    answer: refused('Parameters Incorrect', {
      field: 'template',
      code: 'value_missing',
      text: 'has no value for {code}',
    }),
  },
  {
    call: 'sends.create',
    name: 'landline',
    title: 'A number that gets no messages',
    input: { to: '014220000', from: 'HIMALBANK', text: 'Your code is 4711' },
    status: 400,
    answer: refused('Parameters Incorrect', {
      field: 'to',
      code: 'no_mobile',
      text: 'is not a mobile number: a message would not reach it',
    }),
  },
  {
    call: 'sends.create',
    name: 'tooShort',
    title: 'A time that is too short',
    input: { to: '9841234567', from: 'HIMALBANK', text: 'Your code is 4711', validSeconds: 5 },
    status: 400,
    answer: refused('Parameters Incorrect', {
      field: 'validSeconds',
      code: 'too_small',
      text: 'must be a whole number from 30 to 86400',
    }),
  },
  {
    call: 'sends.create',
    name: 'scopeMissing',
    title: 'A key that may only read',
    by: 'messages:read',
    input: { to: '9841234567', from: 'HIMALBANK', text: 'Your code is 4711' },
    status: 403,
    answer: refused('Not allowed', {
      field: 'key',
      code: 'scope_missing',
      text: 'needs the scope messages:write',
    }),
  },
  {
    call: 'sends.create',
    name: 'balanceShort',
    title: 'Too little credit',
    input: { to: '9841234567', from: 'HIMALBANK', text: 'Your code is 4711' },
    status: 409,
    answer: refused('Request Failed!! Please try again', {
      field: 'message',
      code: 'balance_short',
      text: 'costs Rs 1.50, and Rs 0.20 are free',
    }),
  },
  {
    call: 'sends.create',
    name: 'dayCap',
    title: 'A number that had its messages of the day',
    input: { to: '9841000001', from: 'HIMALBANK', text: 'Your code is 4711' },
    status: 409,
    answer: refused('Request Failed!! Please try again', {
      field: 'to',
      code: 'day_cap',
      text: 'had 5 messages today: it may have more from 00:00',
    }),
  },
  {
    call: 'sends.detail',
    name: 'delivered',
    title: 'A message that was delivered',
    input: { messageId: '1204-1' },
    status: 200,
    answer: {
      messageId: '1204-1',
      state: 'delivered',
      to: '9841234567',
      from: 'HIMALBANK',
      segments: 1,
      cost: 1.5,
      reference: 'invoice-1042',
      reason: null,
      acceptedAt: '2026-11-28 10:20:00',
      submittedAt: '2026-11-28 10:20:01',
      endedAt: '2026-11-28 10:20:04',
    },
  },
  {
    call: 'sends.detail',
    name: 'unknown',
    title: 'A message of nobody, or of somebody else',
    input: { messageId: '999999999-1' },
    status: 404,
    answer: { message: 'No data found' },
  },
  {
    call: 'sends.find',
    name: 'byReference',
    title: 'Every message with a reference',
    input: { reference: 'login-88' },
    status: 200,
    answer: [
      {
        messageId: '1204-2',
        state: 'waiting',
        to: '9841234567',
        from: 'HIMALBANK',
        segments: 1,
        cost: 1.5,
        reference: 'login-88',
        reason: null,
        acceptedAt: '2026-11-28 10:21:00',
        submittedAt: null,
        endedAt: null,
      },
    ],
  },
]

const hookExamples: readonly ApiExample[] = [
  {
    call: 'hooks.create',
    name: 'results',
    title: 'An address that is told what becomes of messages',
    input: { url: 'https://billing.example.com/ghanti', events: ['messages.changed', 'message.received'] },
    status: 200,
    answer: { message: 'Success', hookId: 7, secret },
  },
  {
    call: 'hooks.create',
    name: 'plain',
    title: 'An address without encryption',
    input: { url: 'http://billing.example.com/ghanti', events: ['messages.changed'] },
    status: 400,
    answer: refused('Parameters Incorrect', { field: 'url', code: 'invalid', text: 'must begin with https://' }),
  },
  {
    call: 'hooks.list',
    name: 'own',
    title: 'The webhooks of the account',
    input: {},
    status: 200,
    answer: [
      {
        hookId: 7,
        host: 'billing.example.com',
        events: ['messages.changed', 'message.received'],
        state: 'active',
        reason: null,
        restsUntil: null,
        rotatesUntil: null,
        createdAt: '2026-11-28 11:00:00',
        deliveredAt: '2026-11-28 11:00:01',
      },
    ],
  },
  {
    call: 'hooks.update',
    name: 'events',
    title: 'Other events',
    input: { hookId: 7, events: ['messages.changed', 'balance.low'] },
    status: 200,
    answer: { message: 'Success' },
  },
  {
    call: 'hooks.test',
    name: 'once',
    title: 'Sends hook.test',
    input: { hookId: 7 },
    status: 200,
    answer: { message: 'Success', deliveryId: 901 },
  },
  {
    call: 'hooks.rotate',
    name: 'secret',
    title: 'A new secret; for a day both sign',
    input: { hookId: 7 },
    status: 200,
    answer: { message: 'Success', hookId: 7, secret: secret.replace('C2FV', 'D3GW') },
  },
  {
    call: 'hooks.deliveries',
    name: 'failed',
    title: 'What did not arrive',
    input: { hookId: 7, state: 'failed' },
    status: 200,
    answer: [
      {
        deliveryId: 902,
        eventId: 'evt_6f1c0d2b4a5e4c7f9b8d3e2a1c0f5d4b',
        type: 'messages.changed',
        at: '2026-11-28 11:05:00',
        state: 'failed',
        tries: 10,
        dueAt: null,
        triedAt: '2026-11-28 11:05:01',
        status: 500,
        ms: 87,
        reason: 'it answered 500',
      },
    ],
  },
  {
    call: 'hooks.replay',
    name: 'one',
    title: 'Sends one delivery again',
    input: { deliveryId: 902 },
    status: 200,
    answer: { message: 'Success', deliveries: 1 },
  },
  {
    call: 'hooks.replay',
    name: 'neither',
    title: 'Neither a delivery nor a time',
    input: { hookId: 7 },
    status: 400,
    answer: refused('Parameters Incorrect', {
      field: 'deliveryId',
      code: 'invalid',
      text: 'must be deliveryId or failedSince, one of both',
    }),
  },
  {
    call: 'hooks.events',
    name: 'first',
    title: 'What happened, for a program without a server',
    input: { after: 0 },
    status: 200,
    answer: {
      events: [
        {
          eventId: 'evt_6f1c0d2b4a5e4c7f9b8d3e2a1c0f5d4b',
          type: 'messages.changed',
          timestamp: '2026-11-28T05:20:00.000Z',
          data: {
            campaignId: 1204,
            campaignName: 'API 2026-11-28 · HIMALBANK',
            messages: [
              {
                messageId: '1204-1',
                reference: 'invoice-1042',
                row: 1,
                msisdn: '9841234567',
                state: 'delivered',
                segments: 1,
                submitTime: '2026-11-28 10:20:01',
                deliveryTime: '2026-11-28 10:20:04',
                reason: null,
              },
            ],
          },
        },
      ],
      next: 5512,
    },
  },
  {
    call: 'hooks.delete',
    name: 'own',
    title: 'It is told nothing more',
    input: { hookId: 7 },
    status: 200,
    answer: { message: 'Success' },
  },
]

export const apiExamples: readonly ApiExample[] = [...keyExamples, ...sendExamples, ...hookExamples]
