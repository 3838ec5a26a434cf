import { showing } from '@ghanti/contract/shown-clis.ts'
import { SipOptions } from '@ghanti/contract/sip-options.ts'
import * as z from 'zod/mini'
import type { Switchboard } from '../../call/switchboard.ts'
import type { TrunkRow } from '../../../model/campaigns/snapshot.sql.ts'
import { words } from '../../../model/campaigns/words.ts'
import { clisOf, type Showing, type ShownCli } from '../../../model/campaigns/route.ts'

/** A caller ID and how many more calls can show it. */
type CliRoom = ShownCli & { room: number }

/** The caller IDs that the operator of a trunk lets us show, as the trunk lists them. None: all. */
export function shownClisOf(row: Pick<TrunkRow, 'sip_options'>): readonly string[] {
  return z.parse(SipOptions, row.sip_options).shownClis
}

/** Which caller IDs calls may show over the trunks of a dialer, and how many channels of each are free. One engine at a time counts them. */
export class ShownClis {
  readonly #switchboard: Pick<Switchboard, 'callsOfCli'>
  #shows: ReadonlyMap<number, (number: string) => boolean> = new Map()

  constructor(switchboard: Pick<Switchboard, 'callsOfCli'>) {
    this.#switchboard = switchboard
  }

  update(rows: readonly Pick<TrunkRow, 'id' | 'sip_options'>[]): void {
    this.#shows = new Map(rows.map((row) => [row.id, showing(shownClisOf(row))]))
  }

  /** Whether the operator of the trunk lets us show this number. */
  mayShow(trunkId: number, number: string): boolean {
    return this.#shows.get(trunkId)?.(number) ?? true
  }

  /** Those of a campaign's caller IDs that its calls may show over the trunk. */
  over(campaign: Showing, trunkId: number): CliRoom[] {
    const shown = clisOf(campaign).filter(({ number }) => this.mayShow(trunkId, number))
    return shown.map((cli) => ({ ...cli, room: this.#roomOf(cli) }))
  }

  /** How many more calls can show each of these campaigns' caller IDs. */
  room(campaigns: readonly Showing[]): Map<number, number> {
    return new Map(campaigns.flatMap(clisOf).map((cli) => [cli.id, this.#roomOf(cli)]))
  }

  /** Why calls of a campaign can show none of its caller IDs over the trunk, as a sentence. Null: they can. */
  inTheWay(campaign: Showing, trunk: { id: number; name: string } | undefined): string | null {
    const { cli, members } = campaign
    const shown = trunk ? this.over(campaign, trunk.id) : []
    if (!trunk || shown.some(({ room }) => room > 0)) return null
    const what = `${members ? 'caller ID group' : 'caller ID'} ${cli}`
    if (shown.length > 0) {
      const channels = shown.reduce((sum, one) => sum + one.channels, 0)
      return words.channelsBusy(channels, what)
    }
    return members?.length === 0 ? words.groupInactive(cli) : words.mayNotShow(trunk.name, what)
  }

  #roomOf({ id, channels }: ShownCli): number {
    return Math.max(0, channels - this.#switchboard.callsOfCli(id))
  }
}
