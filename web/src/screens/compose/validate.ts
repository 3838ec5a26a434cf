import { smsOccasions } from '@ghanti/contract/after-call.ts'
import { scheduleDaysMax } from '@ghanti/contract/compose.ts'
import { addressFields } from '@ghanti/contract/sms-address.ts'
import { schemaResolver } from '@mantine/form'
import * as z from 'zod/mini'
import { dayFault } from '../../components/dates/day.ts'
import { contactFileProblem } from './contacts/contact-file.ts'
import { Chosen } from './fields.ts'
import { limitsOf, type ComposeForm } from './form.ts'
import { isInFuture, lastDay, scheduleTimeOf } from './schedule/schedule.ts'
import { textProblems, wayOf } from './messages/sms-form.ts'
import { composeTemplateOf } from './templates/table.ts'

/** Errors by field, as the wire's English texts, which the fields translate. */
export function problemsOf(form: ComposeForm, now: Date): Record<string, string> {
  const fields = {
    ...limitsOf(['campaignName', 'template', 'cli', ...(form.ringSeconds === '' ? [] : (['ringSeconds'] as const))]),
    ...contactFields(form),
    ...scheduleFields(form, now),
    ...smsFields(form),
  }
  return { ...problemsIn(fields, form), ...templateProblems(form), ...textProblems(form) }
}

/** What the template asks for and the form lacks. */
export function templateProblems(form: ComposeForm): Record<string, string> {
  const template = composeTemplateOf(form.template)
  if (!template) return {}
  return { ...problemsIn(limitsOf(template.needs(form)), form), ...template.faults?.(form) }
}

function smsFields(form: ComposeForm): Record<string, z.ZodMiniType> {
  const asked = smsOccasions.filter((occasion) => wayOf(form, occasion) === 'address')
  return limitsOf(asked.map((occasion) => addressFields[occasion]))
}

/** The checks that campaigns of messages need too; their text is validated elsewhere. */
export function sendingProblems(form: ComposeForm, now: Date): Record<string, string> {
  const fields = { ...limitsOf(['campaignName', 'cli']), ...contactFields(form), ...scheduleFields(form, now) }
  return problemsIn(fields, form)
}

export function scheduleFields(form: ComposeForm, now: Date): Record<string, z.ZodMiniType> {
  if (!form.scheduled) return {}
  const start = { day: dayField(now), time: timeField(form, now) }
  return form.withEnd ? { ...start, endDay: dayField(now), endTime: endField(form) } : start
}

export function problemsIn(fields: Record<string, z.ZodMiniType>, form: ComposeForm): Record<string, string> {
  const problems = schemaResolver(z.object(fields), { sync: true })(form)
  return Object.fromEntries(Object.entries(problems).map(([field, text]) => [field, String(text)]))
}

export function contactFields(form: ComposeForm): Record<string, z.ZodMiniType> {
  if (form.contactsFrom === 'paste') return form.pastedBase ? {} : { numbers: Numbers }
  if (form.contactsFrom === 'stored') return limitsOf(['storedBase'])
  return form.uploadedBase ? {} : { file: PickedFile, ...limitsOf(['baseName']) }
}

const PickedFile = z.instanceof(File, { error: 'is required' }).check(({ value, issues }) => {
  const message = contactFileProblem(value)
  if (message !== null) issues.push({ code: 'custom', message, input: value })
})

const Numbers = z.string().check(z.trim(), z.minLength(1, { error: 'Paste at least one number' }))

function dayField(now: Date) {
  return Chosen.check(
    z.refine((day) => dayFault(day) === null, { error: 'is not a day of the calendar' }),
    z.refine((day) => dayFault(day) !== null || day <= lastDay(now), {
      error: `is more than ${scheduleDaysMax} days ahead`,
    }),
  )
}

function endField(form: ComposeForm) {
  const start = scheduleTimeOf(form.day, form.time)
  return Chosen.check(
    z.refine((time) => scheduleTimeOf(form.endDay, time) > start, { error: 'must be after the start' }),
  )
}

function timeField(form: ComposeForm, now: Date) {
  return Chosen.check(
    z.refine((time) => isInFuture(scheduleTimeOf(form.day, time), now), { error: 'must be in the future' }),
  )
}
