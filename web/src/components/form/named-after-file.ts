import { nameMax } from '@ghanti/contract/values.ts'
import { useRef } from 'react'
import type { Form } from './field.ts'

/** 'Members June.csv' → 'Members June' */
export function nameOfFile(fileName: string): string {
  return fileName
    .replace(/\.[^.]+$/, '')
    .trim()
    .slice(0, nameMax)
}

/** For `onPick`: names the field after the file, and clears it with the file. Typed text stays. */
export function useNamedAfterFile<Values>(form: Form<Values>, field: keyof Values & string) {
  const given = useRef('')
  return (file: File | null) => {
    const typed = String(form.getInputProps(field).defaultValue ?? '')
    if (typed.trim() !== '' && typed !== given.current) return
    given.current = file ? nameOfFile(file.name) : ''
    form.setFieldValue(field, given.current as never)
  }
}
