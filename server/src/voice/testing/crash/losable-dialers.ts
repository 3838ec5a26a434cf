import { expect, vi } from 'vitest'
import { TelephonyError, type DialerAddress, type DialerEvent } from '../../../drivers/telephony/driver.ts'
import { polling } from '../../../testing/timeouts.ts'
import { dialling, instead, type Dialling } from '../engine.ts'

export type LosableDialers = Dialling & {
  /** The dialer does not answer from now on; its calls go on. */
  lose(dialerId: number): void
  comeBack(dialerId: number): void
  /** The dialer is lost when it is next asked for a call. Resolves with that call's channel. */
  loseAtDial(dialerId: number): Promise<string>
  /** Resolves when the dialers have these trunks. */
  areSet(trunkIds: readonly number[]): Promise<void>
}

const reason = 'no route to it'

/** An engine that dials, and dialers that can be lost. */
export async function losableDialers(of: Parameters<typeof dialling>[0]): Promise<LosableDialers> {
  const at = await dialling(of)
  /** Dialers that do not answer, by their ports. */
  const gone = new Set<number>()
  const listeners = new Map<number, (events: DialerEvent[]) => void>()
  /** Dialers that are lost at their next call, by their ports. */
  const atDial = new Map<number, (channelId: string) => void>()
  const emit = (port: number, type: 'lost' | 'restored'): void =>
    listeners.get(port)?.([type === 'lost' ? { type, at: Date.now(), reason } : { type, at: Date.now() }])
  const telephone = instead(at.simulator, (connection, { port }) => ({
    onEvents(listener) {
      listeners.set(port, listener)
      connection.onEvents(listener)
    },
    async dial(request) {
      const loseNow = atDial.get(port)
      if (loseNow) {
        atDial.delete(port)
        gone.add(port)
        emit(port, 'lost')
        loseNow(request.channelId)
      }
      return gone.has(port) ? { outcome: 'notSent', reason } : connection.dial(request)
    },
  }))
  at.start({
    telephony: [
      {
        name: telephone.name,
        connect: (address: DialerAddress) =>
          gone.has(address.port) ? Promise.reject(new TelephonyError(reason)) : telephone.connect(address),
      },
    ],
  })
  const portOf = (dialerId: number): number => 20_000 + dialerId
  return {
    ...at,
    lose(dialerId) {
      gone.add(portOf(dialerId))
      emit(portOf(dialerId), 'lost')
    },
    loseAtDial: (dialerId) => new Promise((resolve) => atDial.set(portOf(dialerId), resolve)),
    comeBack(dialerId) {
      if (gone.delete(portOf(dialerId))) emit(portOf(dialerId), 'restored')
    },
    async areSet(trunkIds) {
      await vi.waitFor(async () => {
        const { rows } = await at.pool.query<{ n: number }>(
          'select count(*)::int as n from trunk_state where trunk_id = any ($1::int[]) and reachable',
          [trunkIds],
        )
        expect(rows).toEqual([{ n: trunkIds.length }])
      }, polling)
    },
  }
}
