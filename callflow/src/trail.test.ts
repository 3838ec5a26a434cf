import { expect, test } from 'vitest'
import { start, step } from './call.ts'
import type { Flow, Part } from './flow.ts'
import { templateById } from './registry.ts'
import { callPatch } from './templates/call-patch.ts'
import { dtmfInput } from './templates/dtmf-input.ts'
import { simpleIvr } from './templates/simple-ivr.ts'
import { eventOf, fullInput, prompt, type Deed } from './testing.ts'
import { follow, keysInTrail, noTrail, trailText } from './trail.ts'

/** A row's value is shorter than the longest possible one. */
const msOf = (part: Part): number => (part.kind === 'spoken' ? 1500 : part.durationMs)

type Moment = readonly [at: number, deed: Deed]

/** The trail of a call with these events at these times (ms); the last one ends the call, by the far end unless stated. */
function trailOf(flow: Flow, moments: readonly Moment[], byFarEnd = true): string {
  let state = start()
  let trail = noTrail
  for (const [at, deed] of moments.slice(0, -1)) {
    const event = eventOf(deed, state)
    const next = step(flow, state, event)
    trail = follow(flow, trail, { before: state, event, next, at }, msOf)
    state = next.state
  }
  return trailText(flow, trail, { state, at: moments.at(-1)?.[0] ?? 0, byFarEnd })
}

const auto3 = templateById.get(5)?.build(fullInput) // menu1 1 s, date1 1.5 s, menu2 1 s, 4 s for a key, asked twice
const consultancy = templateById.get(8)?.build(fullInput) // welcome 2 s, each menu 1 s, 4 s for a key, asked twice
const menu = dtmfInput.build(fullInput) // welcome 2 s, menu 5 s, 4 s for a key, asked twice
const cases: { why: string; flow?: Flow | undefined; moments: Moment[]; ours?: true; trail: string }[] = [
  {
    why: 'hung up in the welcome: the menu was not asked',
    moments: [
      [100, 'answers'],
      [2000, 'hangs up'],
    ],
    trail: 'welcome >welcome',
  },
  {
    why: 'hung up in the menu, before a key',
    moments: [
      [100, 'answers'],
      [2200, 'hangs up'],
    ],
    trail: 'welcome menu menu=left >menu',
  },
  {
    why: 'a key during the menu, thanks to the end',
    moments: [
      [0, 'answers'],
      [3000, 'presses 2'],
      [3900, 'listens'],
      [4000, 'hangs up'],
    ],
    ours: true,
    trail: 'welcome menu thanks menu=2 >end',
  },
  {
    why: 'a key during the welcome answers a menu that was not heard',
    moments: [
      [0, 'answers'],
      [1000, 'presses 1'],
      [1100, 'hangs up'],
    ],
    trail: 'welcome thanks menu=1 >thanks',
  },
  {
    why: 'silence: asked again, and hung up in the second silence',
    moments: [
      [0, 'answers'],
      [7000, 'listens'],
      [7000, 'is silent'],
      [18_000, 'listens'],
      [19_000, 'hangs up'],
    ],
    trail: 'welcome menu menu? noInput menu=left >menu?',
  },
  {
    why: 'the end of a wait is computed: who hangs up a second into the prompt after it did not hear the next',
    moments: [
      [0, 'answers'],
      [7000, 'listens'],
      [7000, 'is silent'],
      [12_000, 'hangs up'],
    ],
    trail: 'welcome menu menu? noInput menu=left >noInput',
  },
  {
    why: 'silence to the end of the call',
    moments: [
      [0, 'answers'],
      [7000, 'listens'],
      [7000, 'is silent'],
      [17_500, 'listens'],
      [17_500, 'is silent'],
      [22_400, 'listens'],
      [22_500, 'hangs up'],
    ],
    ours: true,
    trail: 'welcome menu menu? noInput thanks menu=none >end',
  },
  {
    why: 'a wrong key only',
    moments: [
      [0, 'answers'],
      [3000, 'presses 9'],
      [3100, 'hangs up'],
    ],
    trail: 'welcome menu wrongInput menu=wrong >wrongInput',
  },
  {
    why: 'stopped by us',
    moments: [
      [0, 'answers'],
      [3000, 'hangs up'],
    ],
    ours: true,
    trail: 'welcome menu menu=left >cut',
  },
  { why: 'nothing was seen of it', moments: [[3000, 'hangs up']], trail: '>unknown' },
  {
    why: 'no keys at all',
    flow: simpleIvr.build({ ...fullInput, prompts: { welcome: prompt('welcome', 2000) } }),
    moments: [
      [0, 'answers'],
      [2000, 'listens'],
      [2001, 'hangs up'],
    ],
    ours: true,
    trail: 'welcome >end',
  },
  {
    why: 'hung up while the date was said',
    flow: auto3,
    moments: [
      [0, 'answers'],
      [2400, 'hangs up'],
    ],
    trail: 'menu1 date1 menu=left >date1',
  },
  {
    why: 'hung up as soon as the date had been said',
    flow: auto3,
    moments: [
      [0, 'answers'],
      [2600, 'hangs up'],
    ],
    trail: 'menu1 date1 menu2 menu=left >menu2',
  },
  {
    why: 'asked again, a key, and hung up in the date that comes after it',
    flow: auto3,
    moments: [
      [0, 'answers'],
      [3500, 'listens'],
      [3500, 'is silent'],
      [8000, 'presses 3'],
      [9500, 'hangs up'],
    ],
    trail: 'menu1 date1 menu2 menu? action1 date3 menu=3 >date3',
  },
  {
    why: 'each menu has its own answer: a key in the welcome, silence, a wrong key and then the right one, hung up in the silence',
    flow: consultancy,
    moments: [
      [0, 'answers'],
      [1000, 'presses 3'], // menu2 from here on
      [2000, 'listens'],
      [2000, 'is silent'],
      [7000, 'listens'],
      [7000, 'is silent'], // menu3 from 11 s on
      [11_500, 'presses 9'],
      [12_000, 'presses 1'], // menu4 from here on
      [13_000, 'listens'],
      [14_000, 'hangs up'],
    ],
    trail: 'welcome menu2 menu2? menu3 menu4 menu4? menu1=3 menu2=none menu3=1 menu4=left >menu4?',
  },
  {
    why: 'an agent is not reached and the other key is pressed: the last valid one counts',
    flow: callPatch.build(fullInput),
    moments: [
      [0, 'answers'],
      [3000, 'presses 1'],
      [9000, 'agent not reached'],
      [12_000, 'presses 2'],
      [15_000, 'agent answers'],
      [40_000, 'hangs up'],
    ],
    trail: 'welcome menu agent noInput talk menu=2 >talk',
  },
]

test.each(cases)('$why: $trail', ({ flow = menu, moments, ours, trail }) => {
  expect(trailOf(flow, moments, !ours)).toBe(trail)
})

test('a trail gives back the last valid key of each menu, and none for a menu without one', () => {
  const text = 'welcome menu1 menu2 menu3 menu3? menu4 menu1=3 menu2=wrong menu3=none menu4=* menu5=left >menu5'
  expect([...keysInTrail(text)]).toEqual([
    ['menu1', '3'],
    ['menu4', '*'],
  ])
})
