import { expect, test } from 'vitest'
import type { RtpFigures } from '../../../drivers/telephony/driver.ts'
import { noSymptoms, symptomsOfCall, symptomsOfSound, toldBy, type SymptomCounts } from './trunk-symptoms.ts'

const none = { raised: new Map(), over: [] }
test.each<{
  why: string
  hour: Partial<SymptomCounts>
  before?: Partial<SymptomCounts>
  raised?: Record<string, string>
  over?: string[]
}>([
  { why: 'a quiet hour says nothing', hour: {} },
  { why: 'some calls without a key are chance', hour: { asked: 199 } },
  {
    why: 'no key in two hundred calls that heard a menu is none',
    hour: { asked: 50 },
    before: { asked: 150 },
    raised: { no_keys: 'no key came in 200 calls that heard a menu' },
  },
  { why: 'what was bad in the hour before may have been repaired', hour: { asked: 49 }, before: { asked: 900 } },
  { why: 'one key shows that keys arrive', hour: { asked: 300, keyed: 1 }, before: { asked: 900 }, over: ['no_keys'] },
  {
    why: 'half of the answered calls are very many',
    hour: { answered: 50, short: 25 },
    raised: { short_calls: '25 of 50 answered calls were hung up within 3 s' },
  },
  { why: 'fewer are what people do', hour: { answered: 50, short: 24 }, over: ['short_calls'] },
  {
    why: 'sound is told by samples, each fault for itself',
    hour: { sampled: 10, one_way: 3, dead: 4 },
    raised: {
      one_way_sound: '3 of 10 sampled calls had sound one way only',
      dead_air: '4 of 10 sampled calls had no sound',
    },
  },
])('$why', ({ hour, before, raised = {}, over = [] }) => {
  const told = toldBy({ ...noSymptoms, ...hour }, { ...noSymptoms, ...before }, null)
  expect({ ...none, ...told }).toEqual({ raised: new Map(Object.entries(raised)), over })
})

test('an alert about keys names the contradiction', () => {
  const hour = { ...noSymptoms, asked: 200, described: 8, contradicted: 8 }
  expect([...toldBy(hour, noSymptoms, 'it says both').raised.values()]).toEqual([
    'no key came in 200 calls that heard a menu: it says both',
    '8 of 8 calls had answers that contradict themselves: it says both',
  ])
})

test.each([
  { why: 'who hangs up while a menu asks may not have heard it', trail: 'hello 1 1=left >1', asked: 0, keyed: 0 },
  { why: 'who hangs up in the silence after it has heard it', trail: 'hello 1 1? 1=left >1?', asked: 1, keyed: 0 },
  { why: 'who waits has heard it', trail: '1 1? 1=none >end', asked: 1, keyed: 0 },
  { why: 'a wrong key is a key', trail: '1 1? 1=wrong >end', asked: 1, keyed: 1 },
  { why: 'without a menu there is nothing to press', trail: 'hello >end', asked: 0, keyed: 0 },
])('$why', ({ trail, asked, keyed }) =>
  expect(symptomsOfCall({ billMs: 9000, byFarEnd: true, trail })).toEqual({ answered: 1, short: 0, asked, keyed }),
)

test('a call is short when the far end ended it', () => {
  const short = (billMs: number, byFarEnd: boolean) => symptomsOfCall({ billMs, byFarEnd, trail: null }).short
  expect([short(2999, true), short(3000, true), short(100, false)]).toEqual([1, 0, 0])
})

const way = (packets: number, lost = 0) => ({ packets, lost, jitterMs: 1 })
test.each<{ why: string; rtp: RtpFigures; one_way: number; dead: number }>([
  { why: 'both ways', rtp: { received: way(400), sent: way(400), sentPackets: 400 }, one_way: 0, dead: 0 },
  { why: 'no report', rtp: { received: way(400), sent: null, sentPackets: 400 }, one_way: 0, dead: 0 },
  { why: 'they hear us', rtp: { received: way(0), sent: way(400, 3), sentPackets: 400 }, one_way: 1, dead: 0 },
  { why: 'we hear them', rtp: { received: way(400), sent: way(400, 400), sentPackets: 400 }, one_way: 1, dead: 0 },
  { why: 'we send nothing', rtp: { received: way(400), sent: null, sentPackets: 0 }, one_way: 1, dead: 0 },
  {
    why: 'nothing comes, nothing is reported',
    rtp: { received: way(0), sent: null, sentPackets: 400 },
    one_way: 0,
    dead: 1,
  },
  { why: 'nothing passes', rtp: { received: way(0), sent: null, sentPackets: 0 }, one_way: 0, dead: 1 },
])('sound: $why', ({ rtp, one_way, dead }) => expect(symptomsOfSound(rtp)).toEqual({ sampled: 1, one_way, dead }))
