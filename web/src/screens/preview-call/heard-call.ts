import { start, step, type CallCommand, type CallEvent, type CallState } from '@ghanti/callflow/call.ts'
import type { Flow, Part } from '@ghanti/callflow/flow.ts'

/** Events of a previewed call: what a dialer would report, and which part has started to play. */
export type Happening = CallEvent | { type: 'partBegan'; step: number; index: number }

export type Said =
  | { kind: 'answered' }
  | { kind: 'part'; part: Part }
  | { kind: 'key'; digit: string; valid: boolean }
  /** Pressed while the flow was not listening. */
  | { kind: 'unheardKey'; digit: string }
  | { kind: 'wait'; ms: number }
  | { kind: 'silence' }
  | { kind: 'agentRings'; number: string }
  | { kind: 'agentAnswered' | 'agentFailed' | 'agentHungUp' }
  /** `by`: the listener, or the end of the flow. */
  | { kind: 'over'; by: 'you' | 'flow' }
export type Line = { atMs: number; said: Said }

export type HeardCall = {
  call: CallState
  playing: { step: number; parts: readonly Part[]; index: number } | null
  waiting: { step: number; ms: number } | null
  ringing: { step: number; number: string; ms: number } | null
  lines: readonly Line[]
}

export function unheard(): HeardCall {
  return { call: start(), playing: null, waiting: null, ringing: null, lines: [] }
}

/** The part playing now; the same object as in the flow. */
export function partOf({ playing }: HeardCall): Part | null {
  return playing?.parts[playing.index] ?? null
}

export function isUp({ call }: HeardCall): boolean {
  return call.at !== 'dialling' && call.at !== 'ended'
}

/** The call after an event `atMs` after the answer, and the commands that the interpreter, which the engine uses too, answers with. */
export function happen(
  flow: Flow,
  before: HeardCall,
  happening: Happening,
  atMs: number,
): { heard: HeardCall; commands: CallCommand[] } {
  if (happening.type === 'partBegan') return { heard: begun(before, happening, atMs), commands: [] }
  const { state, commands } = step(flow, before.call, happening)
  const said = [...linesOfEvent(before, happening, commands), ...commands.flatMap(linesOfCommand)]
  const heard: HeardCall = {
    call: state,
    playing: state.at === 'asking' || state.at === 'closing' ? (playedBy(commands) ?? before.playing) : null,
    waiting: state.at === 'waiting' ? (waitOf(commands) ?? before.waiting) : null,
    ringing: state.at === 'ringing' || state.at === 'talking' ? (ringOf(commands) ?? before.ringing) : null,
    lines: [...before.lines, ...said.map((one) => ({ atMs, said: one }))],
  }
  return { heard, commands }
}

/** Ignores an index beyond the last part, or one of an earlier playback. */
function begun(before: HeardCall, { step, index }: { step: number; index: number }, atMs: number): HeardCall {
  const part = before.playing?.step === step ? before.playing.parts[index] : undefined
  if (!before.playing || !part) return before
  return {
    ...before,
    playing: { ...before.playing, index },
    lines: [...before.lines, { atMs, said: { kind: 'part', part } }],
  }
}

function linesOfEvent(before: HeardCall, event: CallEvent, commands: readonly CallCommand[]): Said[] {
  const changes = commands.length > 0
  switch (event.type) {
    case 'answered':
      return before.call.at === 'dialling' ? [{ kind: 'answered' }] : []
    case 'digit':
      return isUp(before) && !changes ? [{ kind: 'unheardKey', digit: event.digit }] : []
    case 'waitEnded':
      return changes ? [{ kind: 'silence' }] : []
    case 'agentAnswered':
    case 'agentFailed':
    case 'agentHungUp':
      return changes ? [{ kind: event.type }] : []
    case 'hungUp':
      return isUp(before) ? [{ kind: 'over', by: 'you' }] : []
    case 'promptEnded':
    case 'agentBusy': // nobody is called here, so nobody is busy
      return []
  }
}

function linesOfCommand(command: CallCommand): Said[] {
  switch (command.type) {
    case 'recordKey':
      return [{ kind: 'key', digit: command.digit, valid: command.valid }]
    case 'wait':
      return [{ kind: 'wait', ms: command.ms }]
    case 'bridgeAgent':
      return [{ kind: 'agentRings', number: command.number }]
    case 'hangUp':
      return [{ kind: 'over', by: 'flow' }]
    // The transcript lists parts one by one as each starts.
    case 'play':
    case 'stopPlayback':
    case 'cancelWait':
    case 'record':
    case 'hangUpAgent':
      return []
  }
}

function playedBy(commands: readonly CallCommand[]): HeardCall['playing'] | undefined {
  const play = commands.find((command) => command.type === 'play')
  return play && { step: play.step, parts: play.parts, index: 0 }
}

function waitOf(commands: readonly CallCommand[]): HeardCall['waiting'] | undefined {
  const wait = commands.find((command) => command.type === 'wait')
  return wait && { step: wait.step, ms: wait.ms }
}

function ringOf(commands: readonly CallCommand[]): HeardCall['ringing'] | undefined {
  const ring = commands.find((command) => command.type === 'bridgeAgent')
  return ring && { step: ring.step, number: ring.number, ms: ring.ringMs }
}
