import { nameMax } from '@ghanti/contract/values.ts'
import { useRef } from 'react'
import type { Form } from '../field.ts'

/** 'Members June.csv' → 'Members June' */
export function nameOfFile(fileName: string): string {
  return fileName
    .replace(/\.[^.]+$/, '')
    .trim()
    .slice(0, nameMax)
}

/** Names are unique: 'Dashain' → 'Dashain (2)' → 'Dashain (3)'. */
export function nextName(name: string): string {
  const [, stem = name, count] = /^(.*) \((\d{1,4})\)$/.exec(name) ?? []
  const ending = ` (${count === undefined ? 2 : Number(count) + 1})`
  return name === '' ? '' : stem.slice(0, nameMax - ending.length) + ending
}

/** The name itself, or the next free one. Ignores case. */
export function freeName(name: string, taken: readonly string[]): string {
  const lower = new Set(taken.map((one) => one.toLowerCase()))
  let free = name
  while (free !== '' && lower.has(free.toLowerCase())) free = nextName(free)
  return free
}

type Naming<Values> = {
  /** Makes the name one that is not taken. */
  free?: (name: string) => string
  /** The form's field that remembers the given name, for a form that outlives the field of the file. */
  givenIn?: keyof Values & string
}

/** For `onPick`: sets the field to the file's name, and clears it with the file. Typed text stays. */
export function useNamedAfterFile<Values>(
  form: Form<Values>,
  field: keyof Values & string,
  { free = (name) => name, givenIn }: Naming<Values> = {},
) {
  const valueOf = (name: keyof Values & string) => String(form.getInputProps(name).defaultValue ?? '')
  const given = useRef(givenIn === undefined ? '' : valueOf(givenIn))
  return (file: File | null) => {
    const typed = valueOf(field)
    if (typed.trim() !== '' && typed !== given.current) return
    given.current = file ? free(nameOfFile(file.name)) : ''
    if (givenIn !== undefined) form.setFieldValue(givenIn, given.current as never)
    form.setFieldValue(field, given.current as never)
  }
}
