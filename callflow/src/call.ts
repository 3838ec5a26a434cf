import { agentRingMs, busyAgainMs, type Flow, type Menu, type Part } from './flow.ts'

/**
 * Where a call stands. JSON, stored for the engine that adopts the call after a crash.
 * - dialling: not answered yet
 * - asking: a menu's prompt is playing
 * - waiting: the silence after it
 * - ringing: the agent's telephone rings, or is rung again soon because it was busy
 * - talking: bridged to the agent; in a Call Now to the customer, who is called second
 * - closing: the last prompts are playing
 * - ended: hung up, or about to be by our command
 */
export type CallState = {
  at: 'dialling' | 'asking' | 'waiting' | 'ringing' | 'talking' | 'closing' | 'ended'
  /** Counts playbacks, waits and agent legs. Each event that ends one carries its step, so that the late end of an interrupted one is recognised. */
  step: number
  menu: number
  rePrompts: number
  /** The agent was busy, and is rung for the second and last time since the key was pressed. */
  rungAgain: boolean
}

export type CallEvent =
  | { type: 'answered' }
  | { type: 'promptEnded'; step: number }
  | { type: 'digit'; digit: string }
  | { type: 'waitEnded'; step: number }
  | { type: 'agentAnswered'; step: number }
  /** The agent was not reached: no answer, no channel or no money for the second leg, or already in another call. */
  | { type: 'agentFailed'; step: number; reason: string }
  /** The agent's telephone was engaged. */
  | { type: 'agentBusy'; step: number; number: string }
  | { type: 'agentHungUp'; step: number }
  | { type: 'hungUp' }

export type CallCommand =
  /** Plays the parts without gaps; ends with promptEnded. */
  | { type: 'play'; step: number; parts: Part[] }
  | { type: 'stopPlayback'; step: number }
  | { type: 'wait'; step: number; ms: number }
  | { type: 'cancelWait'; step: number }
  /**
   * Dials the agent and joins the two legs on the answer; ends with agentAnswered, agentFailed or agentBusy. The callee first hears the ringing tone for
   * `afterMs`.
   */
  | { type: 'bridgeAgent'; step: number; number: string; ringMs: number; afterMs: number }
  | { type: 'record'; step: number }
  /** Cancels the agent's leg, or hangs it up. */
  | { type: 'hangUpAgent'; step: number }
  | { type: 'hangUp' }
  | { type: 'recordKey'; menu: string; digit: string; valid: boolean }

export type Step = { state: CallState; commands: CallCommand[] }

export function start(): CallState {
  return { at: 'dialling', step: 0, menu: 0, rePrompts: 0, rungAgain: false }
}

/** What a call does next. An event that does not belong to the state (late, doubled) changes nothing. */
export function step(flow: Flow, state: CallState, event: CallEvent): Step {
  switch (event.type) {
    case 'answered':
      return state.at === 'dialling' ? begin(flow, state) : stay(state)
    case 'promptEnded':
      return event.step === state.step ? afterPrompt(flow, state) : stay(state)
    case 'digit':
      return afterDigit(flow, state, event.digit)
    case 'waitEnded':
      return state.at === 'waiting' && event.step === state.step ? askAgain(flow, state, 'noInput') : stay(state)
    case 'agentAnswered':
      return state.at === 'ringing' && event.step === state.step
        ? { state: { ...state, at: 'talking' }, commands: [{ type: 'record', step: state.step }] }
        : stay(state)
    case 'agentFailed':
    case 'agentHungUp':
      return event.step === state.step ? afterAgent(flow, state, event.type) : stay(state)
    case 'agentBusy':
      return event.step === state.step ? afterBusy(flow, state, event.number) : stay(state)
    case 'hungUp':
      return { state: { ...state, at: 'ended' }, commands: leaveAgent(state) }
  }
}

/**
 * Resumes after a gap in which events may have been lost. A menu is asked again, because its key may be lost, without counting as a re-prompt.
 * Closing prompts continue if they are still `playing`; otherwise the call ends. The engine finds out separately whether the agent's leg is alive,
 * and reports agentAnswered, agentFailed or agentHungUp, as well as answered and hungUp.
 */
export function resume(flow: Flow, state: CallState, playing: boolean): Step {
  switch (state.at) {
    case 'asking':
    case 'waiting': {
      const menu = flow.menus[state.menu]
      if (!menu) return hangUp(state)
      const stop: CallCommand = { type: 'stopPlayback', step: state.step }
      return prepend([stop], play(state, 'asking', menu.ask))
    }
    case 'closing':
      return playing ? stay(state) : hangUp(state)
    case 'ended':
      return hangUp(state)
    case 'dialling':
    case 'ringing':
    case 'talking':
      return stay(state)
  }
}

function begin(flow: Flow, state: CallState): Step {
  if (!flow.connect) return enterMenu(flow, state, 0, flow.opening)
  const { customer, ringMs } = flow.connect
  return ring(state, { number: customer, ringMs })
}

function afterPrompt(flow: Flow, state: CallState): Step {
  if (state.at === 'closing') return hangUp(state)
  const menu = flow.menus[state.menu]
  if (state.at !== 'asking' || !menu) return stay(state)
  if (menu.waitMs === 0) return askAgain(flow, state, 'noInput')
  const next: CallState = { ...state, at: 'waiting', step: state.step + 1 }
  return { state: next, commands: [{ type: 'wait', step: next.step, ms: menu.waitMs }] }
}

function afterDigit(flow: Flow, state: CallState, digit: string): Step {
  const menu = flow.menus[state.menu]
  if ((state.at !== 'asking' && state.at !== 'waiting') || !menu) return stay(state)
  const action = menu.keys.find((key) => key.digit === digit)?.action
  const commands: CallCommand[] = [
    { type: 'recordKey', menu: menu.name, digit, valid: action !== undefined },
    { type: state.at === 'asking' ? 'stopPlayback' : 'cancelWait', step: state.step },
  ]
  switch (action?.type) {
    case undefined:
      return prepend(commands, askAgain(flow, state, 'wrongInput'))
    case 'end':
      return prepend(commands, close(flow, state, action.say))
    case 'nextMenu':
      return prepend(commands, enterMenu(flow, state, state.menu + 1, action.say))
    case 'agent':
      return prepend(commands, ring(state, { number: action.number, ringMs: agentRingMs }))
  }
}

/** The end of a conversation ends the call. An agent who was not reached counts as an unanswered prompt. */
function afterAgent(flow: Flow, state: CallState, type: 'agentFailed' | 'agentHungUp'): Step {
  if (state.at === 'talking') return close(flow, state, [])
  if (state.at !== 'ringing') return stay(state)
  return type === 'agentHungUp' ? close(flow, state, []) : askAgain(flow, state, 'noInput')
}

/** An agent who is busy is rung once more; nobody is called twice by a Call Now. */
function afterBusy(flow: Flow, state: CallState, number: string): Step {
  if (state.at !== 'ringing' || state.rungAgain || flow.connect) return afterAgent(flow, state, 'agentFailed')
  return ring(state, { number, ringMs: agentRingMs, afterMs: busyAgainMs })
}

type Ring = { number: string; ringMs: number; afterMs?: number }

function ring(state: CallState, { number, ringMs, afterMs = 0 }: Ring): Step {
  const next: CallState = { ...state, at: 'ringing', step: state.step + 1, rungAgain: afterMs > 0 }
  return { state: next, commands: [{ type: 'bridgeAgent', step: next.step, number, ringMs, afterMs }] }
}

function askAgain(flow: Flow, state: CallState, why: 'noInput' | 'wrongInput'): Step {
  const menu = flow.menus[state.menu]
  if (!menu) return close(flow, state, [])
  if (state.rePrompts < menu.rePrompts) {
    return play({ ...state, rePrompts: state.rePrompts + 1 }, 'asking', [...menu[why], ...menu.ask])
  }
  return menu.unanswered === 'nextMenu' ? enterMenu(flow, state, state.menu + 1, []) : close(flow, state, [])
}

function enterMenu(flow: Flow, state: CallState, index: number, before: readonly Part[]): Step {
  const menu: Menu | undefined = flow.menus[index]
  if (!menu) return close(flow, state, before)
  return play({ ...state, menu: index, rePrompts: 0 }, 'asking', [...before, ...menu.ask])
}

function close(flow: Flow, state: CallState, before: readonly Part[]): Step {
  const parts = [...before, ...flow.closing]
  return parts.length > 0 ? play(state, 'closing', parts) : hangUp(state)
}

function play(state: CallState, at: 'asking' | 'closing', parts: Part[]): Step {
  const next: CallState = { ...state, at, step: state.step + 1 }
  return { state: next, commands: [{ type: 'play', step: next.step, parts }] }
}

function hangUp(state: CallState): Step {
  return { state: { ...state, at: 'ended' }, commands: [{ type: 'hangUp' }] }
}

function leaveAgent(state: CallState): CallCommand[] {
  return state.at === 'ringing' || state.at === 'talking' ? [{ type: 'hangUpAgent', step: state.step }] : []
}

function stay(state: CallState): Step {
  return { state, commands: [] }
}

function prepend(commands: CallCommand[], after: Step): Step {
  return { state: after.state, commands: [...commands, ...after.commands] }
}
