import { spokenTypes } from '@ghanti/contract/templates.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallCommand, type CallEvent, type CallState, resume, start, step } from './call.ts'
import { callMsMax, durationMs, Flow, longestMs, partName, partsOf, reactionMs, ringAgainMs } from './flow.ts'
import { templateById } from './registry.ts'
import { silent } from './template.ts'
import { callPatch } from './templates/call-patch.ts'
import { dtmfInput } from './templates/dtmf-input.ts'
import { type Deed, eventOf, fullInput, prompt, run, say } from './testing.ts'

const flows = [...templateById.values()].map((template) => template.build(fullInput))
const dtmf = dtmfInput.build(fullInput)
const patch = callPatch.build(fullInput)

const two: Flow = {
  templateId: 8,
  opening: [prompt('hello')],
  menus: ['a', 'b'].map((name) => ({
    name,
    ask: [prompt(name)],
    keys: [{ digit: '1', action: { type: 'nextMenu', say: [prompt(`ok-${name}`)] } }],
    waitMs: 1000,
    rePrompts: 1,
    noInput: [],
    wrongInput: [],
    unanswered: 'nextMenu',
  })),
  closing: [prompt('bye')],
  ...silent,
}

test.each(flows)('the stored flow of template $templateId comes back from the database as it went', (flow) => {
  expect(Flow.parse(JSON.parse(JSON.stringify(flow)))).toEqual(flow)
})

test('a flow that was stored before values were spoken still loads and speaks none', () => {
  const { speech: _, spoken: _s, ...stored } = dtmf
  expect(Flow.parse(stored)).toEqual(dtmf)
})

test('each part of a flow has the name of its role', () => {
  expect(partsOf(dtmf).map(partName)).toEqual(['welcome', 'menu', 'noInput', 'wrongInput', 'thanks'])
})

test('menus follow each other, answered or not, each with its own re-prompts', () => {
  const deeds: Deed[] = ['answers', 'presses 1', 'listens', 'is silent', 'listens', 'is silent', 'listens']
  expect(run(two, deeds).transcript).toEqual([
    'answers: play hello+a',
    'presses 1: key 1 of a valid, stopPlayback, play ok-a+b',
    'listens: wait 1000',
    'is silent: play b',
    'listens: wait 1000',
    'is silent: play bye',
    'listens: hangUp',
  ])
})

test('the late end of an interrupted prompt or wait changes nothing', () => {
  const { state } = run(dtmf, ['answers', 'presses 9'])
  const late = state.step - 1
  expect(step(dtmf, state, { type: 'promptEnded', step: late })).toEqual({ state, commands: [] })
  expect(step(dtmf, state, { type: 'waitEnded', step: late })).toEqual({ state, commands: [] })
})

test('an agent who answered in a gap and is gone ends the call', () => {
  const { state } = run(patch, ['answers', 'presses 1'])
  expect(step(patch, state, eventOf('agent hangs up', state)).commands.map(say)).toEqual(['play thanks'])
})

test.each<{ why: string; deeds: Deed[]; playing: boolean; commands: string[] }>([
  { why: 'not answered: nothing to do', deeds: [], playing: false, commands: [] },
  {
    why: 'asked again: its key may be lost',
    deeds: ['answers'],
    playing: true,
    commands: ['stopPlayback', 'play menu'],
  },
  {
    why: 'so too in the silence',
    deeds: ['answers', 'listens'],
    playing: false,
    commands: ['stopPlayback', 'play menu'],
  },
  { why: 'the agent’s leg is seen to by the caller', deeds: ['answers', 'presses 1'], playing: false, commands: [] },
  { why: 'a conversation goes on', deeds: ['answers', 'presses 1', 'agent answers'], playing: false, commands: [] },
  { why: 'thanks plays on', deeds: ['answers', 'presses 9', 'presses 9'], playing: true, commands: [] },
  { why: 'thanks is over', deeds: ['answers', 'presses 9', 'presses 9'], playing: false, commands: ['hangUp'] },
  {
    why: 'an ended call that still lives is hung up again',
    deeds: ['answers', 'presses 9', 'presses 9', 'listens'],
    playing: false,
    commands: ['hangUp'],
  },
])('after a gap: $why', ({ deeds, playing, commands }) => {
  const { state } = run(patch, deeds)
  const stored: CallState = JSON.parse(JSON.stringify(state))
  const resumed = resume(patch, stored, playing)
  expect(resumed.commands.map(say)).toEqual(commands)
  expect(resumed.state.rePrompts).toBe(state.rePrompts)
})

const partMs = fc.integer({ min: 1, max: 60_000 })
const part = fc.oneof(
  fc.record({
    kind: fc.constant('prompt' as const),
    name: fc.string(),
    promptId: fc.nat(),
    durationMs: partMs,
    hash: fc.string(),
  }),
  fc.record({
    kind: fc.constant('spoken' as const),
    type: fc.constantFrom(...spokenTypes),
    column: fc.nat(),
    durationMs: partMs,
  }),
)
const digit = fc.constantFrom('0', '1', '2', '*')
const anyFlow: fc.Arbitrary<Flow> = fc.record({
  templateId: fc.nat(),
  opening: fc.array(part, { maxLength: 2 }),
  menus: fc.array(
    fc.record({
      name: fc.string(),
      ask: fc.array(part, { minLength: 1, maxLength: 3 }),
      keys: fc.uniqueArray(
        fc.record({
          digit,
          action: fc.oneof(
            fc.record({ type: fc.constant('end' as const), say: fc.array(part, { maxLength: 2 }) }),
            fc.record({ type: fc.constant('nextMenu' as const), say: fc.array(part, { maxLength: 2 }) }),
            fc.record({ type: fc.constant('agent' as const), number: fc.constant('+9779801111137') }),
          ),
        }),
        { selector: (key) => key.digit, maxLength: 3 },
      ),
      waitMs: fc.integer({ min: 0, max: 9000 }),
      rePrompts: fc.integer({ min: 0, max: 3 }),
      noInput: fc.array(part, { maxLength: 1 }),
      wrongInput: fc.array(part, { maxLength: 1 }),
      unanswered: fc.constantFrom('end' as const, 'nextMenu' as const),
    }),
    { maxLength: 5 },
  ),
  closing: fc.array(part, { maxLength: 1 }),
  speech: fc.constant(null),
  spoken: fc.constant([]),
})

/** The time that passes until `event`, given what is under way. A conversation with an agent takes none: it is paid minute by minute. */
function elapsed(underWay: CallCommand | null, fraction: number): number {
  switch (underWay?.type) {
    case 'play':
      return durationMs(underWay.parts) * fraction + reactionMs
    case 'wait':
      return underWay.ms * fraction + reactionMs
    case 'bridgeAgent':
      return (underWay.afterMs + underWay.ringMs) * fraction + reactionMs
    default:
      return 0
  }
}

const natural = (state: CallState): CallEvent => eventOf(state.at === 'waiting' ? 'is silent' : 'listens', state)

test('every call ends within its longest path, if no agent is busy, and otherwise within what rings once more add', () => {
  fc.assert(
    fc.property(
      anyFlow,
      fc.infiniteStream(
        fc.record({
          act: fc.constantFrom('natural', 'digit', 'stray'),
          busy: fc.boolean(),
          digit,
          at: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
      ),
      fc.boolean(),
      (flow, chances, agentTalks) => {
        let { state, commands } = step(flow, start(), { type: 'answered' })
        let ms = 0
        let again = 0
        let ended = false
        for (let steps = 0; !ended; steps += 1) {
          expect(steps).toBeLessThan(500)
          ended = commands.some((command) => command.type === 'hangUp')
          const underWay = commands.findLast((c) => ['play', 'wait', 'bridgeAgent'].includes(c.type)) ?? null
          const chance = chances.next().value
          let event = natural(state)
          let fraction = 1
          if (state.at === 'ringing') {
            const missed = chance.busy ? 'agent +9779801111137 is busy' : 'agent not reached'
            event = eventOf(agentTalks ? 'agent answers' : missed, state)
          } else if (state.at === 'talking') event = eventOf('agent hangs up', state)
          else if (chance.act === 'digit') {
            event = { type: 'digit', digit: chance.digit }
            fraction = chance.at
          } else if (chance.act === 'stray') {
            const stray = step(flow, state, { type: 'promptEnded', step: state.step - 1 })
            expect(stray).toEqual({ state, commands: [] })
          }
          const after = step(flow, state, event)
          // A key without an effect leaves what is under way to end by itself.
          const ignored = event.type === 'digit' && after.commands.length === 0
          ms += elapsed(underWay, ignored ? 1 : fraction)
          again += Number(after.commands.some((command) => command.type === 'bridgeAgent' && command.afterMs > 0))
          ;({ state, commands } = ignored ? step(flow, state, natural(state)) : after)
        }
        expect(Math.min(ms, callMsMax)).toBeLessThanOrEqual(longestMs(flow) + again * ringAgainMs)
      },
    ),
    { numRuns: 300 },
  )
})

test('any events in any order leave a state that can be stored, and the call still ends', () => {
  const anyEvent: fc.Arbitrary<CallEvent> = fc.oneof(
    fc.constant<CallEvent>({ type: 'answered' }),
    fc.constant<CallEvent>({ type: 'hungUp' }),
    digit.map((key): CallEvent => ({ type: 'digit', digit: key })),
    fc
      .nat({ max: 12 })
      .chain((at) =>
        fc.constantFrom<CallEvent>(
          { type: 'promptEnded', step: at },
          { type: 'waitEnded', step: at },
          { type: 'agentAnswered', step: at },
          { type: 'agentFailed', step: at, reason: '' },
          { type: 'agentBusy', step: at, number: '+9779801111137' },
          { type: 'agentHungUp', step: at },
        ),
      ),
  )
  fc.assert(
    fc.property(anyFlow, fc.array(anyEvent, { maxLength: 60 }), (flow, events) => {
      let state = start()
      for (const event of events) {
        const next = step(flow, state, event)
        if (state.at === 'ended') expect(next.state.at).toBe('ended')
        state = JSON.parse(JSON.stringify(next.state))
        expect(state).toEqual(next.state)
      }
      expect(step(flow, state, { type: 'hungUp' }).state.at).toBe('ended')
    }),
    { numRuns: 300 },
  )
})
