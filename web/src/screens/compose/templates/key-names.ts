import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import type { ComposeForm } from '../form.ts'
import { composeTemplateOf } from './table.ts'

/** The names of the keys that the template takes now. The form keeps those of others, for when they are chosen again. */
export function keyLabelsOf(form: ComposeForm): KeyLabels {
  const keys = composeTemplateOf(form.template)?.keys(form) ?? []
  return Object.fromEntries(
    keys.flatMap((key) => {
      const name = ownValue(form.keyLabels, key)?.trim() ?? ''
      return name === '' ? [] : [[key, name] as const]
    }),
  )
}
