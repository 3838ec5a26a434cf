/**
 * The operator of bench/telephony: a SIPp that answers at once and listens to the end. Its log records what became of each call, whoever
 * made it.
 */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { logLine, requireSipp, startPeer } from '../../telephony/sipp/sipp.ts'
import { writeSink } from '../../telephony/sipp/scenarios.ts'

/** As the operator saw it; Unix ms. */
export type SinkCall = { invitedAt: number; answeredAt: number | null; endedAt: number | null }

export type Sink = {
  pid: number
  host: string
  port: number
  /** Calls since `forget`, as far as SIPp has logged them. */
  read(): { invited: number; answered: number; ended: number }
  calls(): SinkCall[]
  forget(): void
  end(): Promise<void>
}

export async function startSink(folder: string): Promise<Sink> {
  requireSipp()
  fs.mkdirSync(folder, { recursive: true })
  writeSink(folder)
  const peer = await startPeer(folder, 'sink')
  const next = linesOf(path.join(folder, 'sink.log'))
  const calls = new Map<string, SinkCall>()
  const counts = { INVITE: 0, ANSWERED: 0, ENDED: 0 }
  const readOn = (): void => {
    for (const line of next()) {
      const { what, callId, at } = logLine(line)
      const call = calls.get(callId)
      if (what === 'INVITE') calls.set(callId, { invitedAt: at, answeredAt: null, endedAt: null })
      else if (!call) continue // a forgotten call
      else if (what === 'ANSWERED') call.answeredAt = at
      else call.endedAt = at
      counts[what] += 1
    }
  }
  return {
    pid: peer.pid,
    host: peer.host,
    port: peer.port,
    read() {
      readOn()
      return { invited: counts.INVITE, answered: counts.ANSWERED, ended: counts.ENDED }
    },
    calls() {
      readOn()
      return [...calls.values()]
    },
    forget() {
      readOn()
      calls.clear()
      Object.assign(counts, { INVITE: 0, ANSWERED: 0, ENDED: 0 })
    },
    async end() {
      await peer.end()
    },
  }
}

/** Returns complete lines appended since the last time. */
function linesOf(file: string): () => string[] {
  const buffer = Buffer.alloc(1 << 20)
  let from = 0
  let rest = ''
  let open: number | null = null
  return () => {
    if (open === null && !fs.existsSync(file)) return []
    open ??= fs.openSync(file, 'r')
    for (let bytes = -1; bytes !== 0; from += bytes) {
      bytes = fs.readSync(open, buffer, 0, buffer.length, from)
      rest += buffer.toString('latin1', 0, bytes)
    }
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    return lines
  }
}
