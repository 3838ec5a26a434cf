import type { CallCommand } from '@ghanti/callflow/call.ts'

export type AgentCommand = Extract<CallCommand, { type: 'bridgeAgent' | 'record' | 'hangUpAgent' }>
export type BridgeAgent = Extract<AgentCommand, { type: 'bridgeAgent' }>

export const isOfAgent = (command: CallCommand): command is AgentCommand =>
  ['bridgeAgent', 'record', 'hangUpAgent'].includes(command.type)
