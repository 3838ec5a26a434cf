import { readValue, type SpokenValue } from '@ghanti/callflow/speech/read.ts'
import { templates } from '@ghanti/contract/template-names.ts'
import { spokenColumns, spokenKinds, type SpokenKind } from '@ghanti/contract/templates.ts'
import { rowText, type AcceptedRow } from '../rules.ts'
import { arrayLiteral } from '../../../db/copy-text.ts'

const batchSize = 256

/** The distinct values that a file's accepted rows speak, in the normal form of each kind. */
export class SpokenValues {
  readonly #kinds: readonly SpokenKind[]
  readonly #seen = new Map<SpokenKind, Set<string>>()

  constructor(templateId: number) {
    const template = templates.find(({ id }) => id === templateId)
    this.#kinds = template ? spokenColumns(template.id).map(({ kind }) => kind) : []
  }

  take(row: AcceptedRow): void {
    for (const [index, value] of this.#valuesOf(row).entries()) {
      const kind = this.#kinds[index]
      if (kind) this.#seen.set(kind, (this.#seen.get(kind) ?? new Set()).add(value))
    }
  }

  arrayOf(row: AcceptedRow): string {
    return arrayLiteral([...this.#valuesOf(row)])
  }

  *batches(): Generator<{ values: number; spoken: SpokenValue[] }> {
    const values = [...this.#seen.values()].reduce((sum, seen) => sum + seen.size, 0)
    let spoken: SpokenValue[] = []
    for (const kind of spokenKinds)
      for (const value of this.#seen.get(kind) ?? []) {
        if (spoken.push({ kind, value }) < batchSize) continue
        yield { values, spoken }
        spoken = []
      }
    if (spoken.length > 0) yield { values, spoken }
  }

  #valuesOf({ line, spoken = [] }: AcceptedRow): string[] {
    return this.#kinds.map((kind, index) => {
      const read = readValue(kind, spoken[index] ?? '')
      if (!read.ok) throw new Error(`line ${line} was accepted though its ${kind} ${read.why}`)
      return read.value
    })
  }
}

export function spokenText({ phone, values }: AcceptedRow): string {
  const number = String(phone).replace(/^977/, '')
  return rowText([number, ...Object.values(values)], ',')
}
