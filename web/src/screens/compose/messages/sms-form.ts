import { ownValue, setOwnValue } from '@ghanti/contract/own-values.ts'
import { dtmfKeys } from '@ghanti/contract/templates.ts'
import { smsOccasions, type SmsOccasion } from '@ghanti/contract/after-call.ts'
import type { ComposeForm } from '../form.ts'
import { problemOfText } from '../../sms-campaigns/compose/text-problem.ts'
import { composeTemplateOf } from '../templates/table.ts'

export const smsFieldsOf = {
  success: { tick: 'smsSuccess', by: 'smsSuccessBy', text: 'smsSuccessText' },
  fail: { tick: 'smsFail', by: 'smsFailBy', text: 'smsFailText' },
  dtmf: { tick: 'smsDtmf', by: 'smsDtmfBy', text: 'smsDtmfTexts' },
} as const satisfies Record<SmsOccasion, Record<'tick' | 'by' | 'text', keyof ComposeForm>>

/** Undefined when no message follows this occasion. */
export function wayOf(form: ComposeForm, occasion: SmsOccasion): ComposeForm['smsFailBy'] | undefined {
  const { tick, by } = smsFieldsOf[occasion]
  if (!form[tick] || (occasion === 'dtmf' && composeTemplateOf(form.template)?.keys(form) === null)) return undefined
  return form[by]
}

export function keysOfForm(form: ComposeForm): string[] {
  const keys = composeTemplateOf(form.template)?.keys(form) ?? []
  return dtmfKeys.filter((key) => keys.includes(key))
}

/** One of our texts in the form; `path`: its field, named as on the wire. */
export type FormText = { occasion: SmsOccasion; key: string | null; path: string; text: string }

export function textsOfForm(form: ComposeForm): FormText[] {
  const texts: FormText[] = []
  for (const occasion of ['success', 'fail'] as const) {
    const path = smsFieldsOf[occasion].text
    if (wayOf(form, occasion) === 'text') texts.push({ occasion, key: null, path, text: form[path] })
  }
  if (wayOf(form, 'dtmf') !== 'text') return texts
  for (const key of keysOfForm(form)) {
    const text = ownValue(form.smsDtmfTexts, key) ?? ''
    if (text.trim() !== '') texts.push({ occasion: 'dtmf', key, path: `smsDtmfTexts.${key}`, text })
  }
  return texts
}

export function hasMessages(form: ComposeForm): boolean {
  return smsOccasions.some((occasion) => wayOf(form, occasion) !== undefined)
}

/** The texts that can be counted now; while the file's columns are unknown, those without placeholders. */
export function countableTexts(form: ComposeForm, columns: readonly string[] | null): FormText[] {
  return textsOfForm(form).filter(({ text }) => problemOfText(text, columns ?? []) === null)
}

export function textProblems(form: ComposeForm): Record<string, string> {
  const texts = textsOfForm(form)
  const problems: Record<string, string> = {}
  const isAsked = smsOccasions.some((occasion) => wayOf(form, occasion) === 'text')
  if (isAsked && form.smsCli === null) problems['smsCli'] = 'is required'
  for (const { path, text } of texts) {
    const problem = problemOfText(text, null)
    if (problem !== null) setOwnValue(problems, path, problem)
  }
  const [firstKey] = keysOfForm(form)
  const hasKeyText = texts.some(({ occasion }) => occasion === 'dtmf')
  if (wayOf(form, 'dtmf') === 'text' && firstKey !== undefined && !hasKeyText)
    setOwnValue(problems, `smsDtmfTexts.${firstKey}`, 'is required for one key at least')
  return problems
}

export function bodyOfTexts(texts: readonly FormText[], smsCli: string | null) {
  if (texts.length === 0) return {}
  const ofKeys = texts.flatMap(({ key, text }) => (key === null ? [] : [[key, text] as const]))
  const others = texts.flatMap(({ key, path, text }) => (key === null ? [[path, text] as const] : []))
  return {
    ...(smsCli !== null && { smsCli }),
    ...Object.fromEntries(others),
    ...(ofKeys.length > 0 && { smsDtmfTexts: Object.fromEntries(ofKeys) }),
  }
}
