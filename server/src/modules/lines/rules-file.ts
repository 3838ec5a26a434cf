import { ownValue } from '@ghanti/contract/own-values.ts'
import type { MoreNumbers } from '@ghanti/contract/more-numbers.ts'
import { callerIdOf, whyNoCallerId } from '@ghanti/contract/caller-id.ts'
import { asciiDigits } from '@ghanti/contract/phone.ts'
import { channelsMax, nameMax } from '@ghanti/contract/values.ts'
import { RowNumbers } from '../contacts/rows/rules-numbers.ts'

/** `channels` and `trunkName` are null when the line omits them. */
export type CliLine = { line: number; text: string; number: string; channels: number | null; trunkName: string | null }
export type RefusedLine = { line: number; text: string; reason: string; kind: 'invalid' | 'duplicate' }

type Column = 'cli' | 'channels' | 'trunkName'
const byPosition: readonly Column[] = ['cli', 'channels', 'trunkName']
const named: Readonly<Record<string, Column>> = {
  cli: 'cli',
  number: 'cli',
  callerid: 'cli',
  channels: 'channels',
  trunkname: 'trunkName',
  trunk: 'trunkName',
}
const shownText = 100

/** Validates a CLI file line by line: `cli,channels,trunkName`, or in the header's order. */
export class CliFileValidator {
  readonly accepted: CliLine[] = []
  readonly refused: RefusedLine[] = []
  #columns: readonly (Column | undefined)[] = byPosition
  #isFirst = true
  readonly #lineOf = new Map<string, number>()
  readonly #numbers = new RowNumbers('first')
  #names: readonly string[] = []

  validate(cells: readonly string[], line: number): void {
    if (cells.every((cell) => cell.trim() === '')) return
    if (this.#isFirst) {
      this.#isFirst = false
      const header = cells.map((cell) => ownValue(named, cell.replace(/[\s_-]/g, '').toLowerCase()))
      if (header.includes('cli')) {
        this.#columns = header
        this.#names = cells
        return
      }
    }
    this.#numbers.read(cells, { mobileAt: this.#columns.indexOf('cli'), nameAt: this.#nameAt })
    const text = cells.join(',').slice(0, shownText)
    const read = this.#read(cells, line, text)
    if ('reason' in read) this.refused.push(read)
    else this.accepted.push(read)
  }

  /** In how many lines other columns have numbers, which become no caller IDs. */
  get moreNumbers(): MoreNumbers {
    return this.#numbers.moreNumbers({ nameAt: this.#nameAt })
  }

  readonly #nameAt = (at: number): string => this.#names[at]?.trim().slice(0, nameMax) || `column${at + 1}`

  #read(cells: readonly string[], line: number, text: string): CliLine | RefusedLine {
    const cell = (column: Column): string => cells[this.#columns.indexOf(column)]?.trim() ?? ''
    const number = callerIdOf(cell('cli'))
    if (number === null) return invalid(line, text, `the number ${whyNoCallerId(cell('cli'))}`)
    const channels = asciiDigits(cell('channels'))
    if (channels !== '' && !(/^\d{1,6}$/.test(channels) && Number(channels) >= 1 && Number(channels) <= channelsMax))
      return invalid(line, text, `channels must be a whole number from 1 to ${channelsMax}`)
    const trunkName = cell('trunkName')
    if (trunkName.length > nameMax) return invalid(line, text, `trunkName is longer than ${nameMax} characters`)
    const before = this.#lineOf.get(number)
    if (before !== undefined) return duplicate(line, text, `the same number as in line ${before}`)
    this.#lineOf.set(number, line)
    return { line, text, number, channels: channels === '' ? null : Number(channels), trunkName: trunkName || null }
  }
}

export function invalid(line: number, text: string, reason: string): RefusedLine {
  return { line, text, reason, kind: 'invalid' }
}

export function duplicate(line: number, text: string, reason: string): RefusedLine {
  return { line, text, reason, kind: 'duplicate' }
}
