import * as z from 'zod/mini'
import { json } from './route.ts'
import { jsonOr } from './bounded-json.ts'
import { Id, Message, orRequired, wireInt, WrittenNumber } from './values.ts'
import { PreviewInput } from './compose.ts'

export const testNumbersMax = 5
/** Per user: at the same time, and within an hour. */
export const testsAtOnceMax = 2
export const testsPerHourMax = 30

/** The numbers to call, and the line of the contact file whose values they hear; without a line, the first row that may be called. */
const whom = {
  numbers: jsonOr(
    z
      .array(WrittenNumber(), {
        ...orRequired('must be a list of numbers'),
      })
      .check(
        z.minLength(1, { error: 'is required' }),
        z.maxLength(testNumbersMax, { error: `has more than ${testNumbersMax} numbers` }),
      ),
  ),
  row: z.optional(wireInt(1, 100_000_000)),
}

const Part = z.object({
  /** 'welcome', 'menu2', 'date1'. */
  name: z.string(),
  says: z.string(),
})

const What = z.discriminatedUnion('type', [
  z.object({ type: z.literal('dialled') }),
  z.object({ type: z.literal('ringing') }),
  z.object({ type: z.literal('answered') }),
  z.object({ type: z.literal('plays'), parts: z.array(Part) }),
  z.object({ type: z.literal('waits'), seconds: z.number() }),
  /** `label`: the name that the campaign gave the key. */
  z.object({ type: z.literal('key'), key: z.string(), valid: z.boolean(), label: z.optional(z.string()) }),
  /** `afterSeconds`: the agent was busy, and is called once more after so long a ringing tone. */
  z.object({ type: z.literal('agentCalled'), number: z.string(), afterSeconds: z.optional(z.number()) }),
  z.object({ type: z.literal('agentTalks') }),
  z.object({ type: z.literal('agentEnded') }),
  z.object({ type: z.literal('weHangUp') }),
  z.object({ type: z.literal('ended'), byThem: z.boolean() }),
])
export type TestCallEvent = z.output<typeof What>

export const TestCall = z.object({
  testId: z.number(),
  name: z.string(),
  campaignStatus: z.number(),
  isOver: z.boolean(),
  /** Why no call starts, or how it ended; null when there is nothing to say. */
  reason: z.nullable(z.string()),
  /** Rupees so far. */
  cost: z.number(),
  calls: z.array(
    z.object({
      mobile: z.string(),
      inCall: z.boolean(),
      /** Null until it is over; 'DND' for a blacklisted number. */
      disposition: z.nullable(z.string()),
      seconds: z.number(),
      cost: z.number(),
      keys: z.string(),
      events: z.array(z.object({ at: z.string(), what: What })),
    }),
  ),
})
export type TestCall = z.output<typeof TestCall>

const Begun = z.object({ message: z.string(), testId: z.number() })
const TestIdInput = z.object({ testId: Id })

export const testCallRoutes = {
  /** With the campaign being composed; takes compose's body. */
  composed: json({
    method: 'POST',
    path: '/api/obd/campaign/test-call',
    input: z.extend(PreviewInput, whom),
    reply: Begun,
  }),
  ofCampaign: json({
    method: 'POST',
    path: '/api/obd/campaign/test-call/of/:campaignId',
    input: z.object({ campaignId: Id, ...whom }),
    reply: Begun,
  }),
  detail: json({ method: 'GET', path: '/api/obd/campaign/test-call/:testId', input: TestIdInput, reply: TestCall }),
  /** No further call starts, and calls under way end at once. */
  stop: json({
    method: 'POST',
    path: '/api/obd/campaign/test-call/stop/:testId',
    input: TestIdInput,
    reply: Message,
  }),
}
