import {
  operatorCode,
  operatorLabel,
  operatorOf,
  takesMessages,
  type OperatorPrefixes,
} from '@ghanti/contract/operators.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { filledText, partsOfText, segmentsOf, smsSegmentsMax, type TextPart } from '@ghanti/contract/sms-text.ts'
import type { AcceptedRow, RefusedRow } from '../rules.ts'
import { ValueCheck, valueMax, type ValueRule } from './rules-values.ts'

export type MessageSettings = {
  /** 0: the same text to everybody; 1: each row's values in its placeholders. */
  templateId: number
  text: string
  operators: readonly number[]
  prefixes: OperatorPrefixes
  /** Null: no value needs approval. */
  values?: ValueRule | null
}

export type Message = {
  line: number
  phone: number
  values: Record<string, string>
  operator: number
  segments: number
}
/** `unreachable`: landlines, which are not mistakes, because the file may serve calls too. */
type ValidatedMessages = {
  messages: Message[]
  unreachable: AcceptedRow[]
  refused: RefusedRow[]
  unapproved: (Message & { reason: string })[]
}

/** Validates what each row would be sent. One instance serves a whole campaign and segments equal texts once. */
export class MessageValidator {
  readonly #settings: MessageSettings
  readonly #parts: readonly TextPart[]
  readonly #segmentsOfAll: number | null
  readonly #check: ValueCheck | null
  /** The listed words that the text has without its columns. */
  readonly #wordsOfText: ReadonlySet<string>

  constructor(settings: MessageSettings) {
    this.#settings = settings
    this.#parts = settings.templateId === 1 ? partsOfText(settings.text) : [{ text: settings.text }]
    const isSame = this.#parts.every((part) => 'text' in part)
    this.#segmentsOfAll = isSame ? segmentsOf(settings.text) : null
    const check = settings.values ? new ValueCheck(settings.values) : null
    this.#check = check
    this.#wordsOfText = new Set(
      this.#parts.flatMap((part) => ('text' in part ? [...(check?.wordsIn(part.text) ?? [])] : [])),
    )
  }

  textOf({ phone, values }: Pick<AcceptedRow, 'phone' | 'values'>): string {
    return filledText(this.#parts, valuesOfRow(phone, values))
  }

  validate(rows: readonly AcceptedRow[]): ValidatedMessages {
    const validated: ValidatedMessages = { messages: [], unreachable: [], refused: [], unapproved: [] }
    for (const row of rows) {
      if (!takesMessages(row.phone)) {
        validated.unreachable.push(row)
        continue
      }
      const message = this.messageOf(row)
      const reason = typeof message === 'string' ? null : this.whyUnapproved(row)
      if (typeof message !== 'string' && reason !== null) validated.unapproved.push({ ...message, reason })
      else if (typeof message !== 'string') validated.messages.push(message)
      else
        validated.refused.push({ line: row.line, text: nationalOf(String(row.phone)), reason: message, ofFile: false })
    }
    return validated
  }

  /** A sentence for the owner; null when no value needs approval. */
  whyUnapproved(row: AcceptedRow): string | null {
    const found = this.unapprovedOf(row)
    return found && `its {${found.column}} waits for approval: ${found.why}`
  }

  unapprovedOf({ phone, values }: AcceptedRow): { column: string; why: string } | null {
    const check = this.#check
    if (!check) return null
    const known = valuesOfRow(phone, values)
    let beside = ''
    for (const part of this.#parts) {
      if ('text' in part || part.column.toLowerCase() === 'mobile') {
        beside = ''
        continue
      }
      const value = known.get(part.column.toLowerCase()) ?? ''
      const why = check.whyUnapproved(value) ?? (beside === '' ? null : check.whyTogether(beside + value))
      if (why !== null) return { column: part.column, why }
      beside = (beside + value).slice(-valueMax)
    }
    return check.hasWords ? this.#completedWord(check, known) : null
  }

  /** A listed word that no value has alone: the text 'lot{rest}' with 'tery'. */
  #completedWord(check: ValueCheck, known: Map<string, string>): { column: string; why: string } | null {
    const wordsOf = (row: Map<string, string>) => check.wordsIn(filledText(this.#parts, row))
    const word = [...wordsOf(known)].find((one) => !this.#wordsOfText.has(one))
    if (word === undefined) return null
    const columns = this.#parts.flatMap((part) => ('column' in part ? [part.column] : []))
    const isNeeded = (column: string) => !wordsOf(new Map(known).set(column.toLowerCase(), '')).has(word)
    return { column: columns.find(isNeeded) ?? columns[0] ?? '', why: `it completes the word '${word}'` }
  }

  /** The message, or why there is none. The row's number is one that takes messages. */
  messageOf(row: AcceptedRow): Message | string {
    const { line, phone, values } = row
    const operator = operatorOf(phone, this.#settings.prefixes)
    const code = operatorCode[operator]
    if (!this.#settings.operators.includes(code)) return `the sender ID is not approved for ${operatorLabel[operator]}`
    if (this.#segmentsOfAll !== null) return { line, phone, values, operator: code, segments: this.#segmentsOfAll }
    const text = this.textOf(row)
    if (text.trim() === '') return 'the message is empty, since its columns are'
    const segments = segmentsOf(text)
    if (segments > smsSegmentsMax) return `the message has ${segments} segments, and ${smsSegmentsMax} are allowed`
    return { line, phone, values, operator: code, segments }
  }
}

export type CallTextSettings = {
  texts: readonly string[]
  operators: readonly number[]
  prefixes: OperatorPrefixes
  /** Per text, which column values need approval; null: none. */
  values: readonly (ValueRule | null)[]
}

/** Per row and text: the segments, or why it is not sent. `unapproved`: because of a column's value. */
type ValidatedCallText = { segments: number | null; withheld: string | null; unapproved: boolean }

export class CallTextValidator {
  readonly #validators: readonly MessageValidator[]
  readonly #prefixes: OperatorPrefixes

  constructor({ texts, operators, prefixes, values }: CallTextSettings) {
    this.#validators = texts.map(
      (text, no) => new MessageValidator({ templateId: 1, text, operators, prefixes, values: values[no] ?? null }),
    )
    this.#prefixes = prefixes
  }

  validate(row: AcceptedRow): { operator: number; texts: ValidatedCallText[] } {
    const operator = operatorCode[operatorOf(row.phone, this.#prefixes)]
    const landline = {
      segments: null,
      withheld: 'the number is a landline, which no message reaches',
      unapproved: false,
    }
    const isReached = takesMessages(row.phone)
    return {
      operator,
      texts: this.#validators.map((validator) => (isReached ? validatedText(validator, row) : landline)),
    }
  }
}

/** Unlike in a campaign of messages, an unapproved value does not wait: after the call nobody can decide on it in time. */
function validatedText(validator: MessageValidator, row: AcceptedRow): ValidatedCallText {
  const message = validator.messageOf(row)
  if (typeof message === 'string') return { segments: null, withheld: message, unapproved: false }
  const found = validator.unapprovedOf(row)
  if (!found) return { segments: message.segments, withheld: null, unapproved: false }
  return { segments: null, withheld: `its {${found.column}} is not approved: ${found.why}`, unapproved: true }
}

/** Placeholder values of one row, by column name in lower case. */
function valuesOfRow(phone: number, values: Readonly<Record<string, string>>): Map<string, string> {
  const own = Object.entries(values).map(([column, value]) => [column.toLowerCase(), value] as const)
  return new Map([...own, ['mobile', nationalOf(String(phone))]])
}
