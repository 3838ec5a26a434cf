import { smsOccasions } from '@ghanti/contract/after-call.ts'
import { scheduleDaysMax } from '@ghanti/contract/compose.ts'
import { addressFields, SmsAddress } from '@ghanti/contract/sms-address.ts'
import { Name, RingSeconds } from '@ghanti/contract/values.ts'
import { schemaResolver } from '@mantine/form'
import * as z from 'zod/mini'
import { dayFault } from '../../components/dates/day.ts'
import { contactFileProblem } from './contacts/contact-file.ts'
import type { ComposeForm } from './form.ts'
import { isInFuture, lastDay, scheduleTimeOf } from './schedule/schedule.ts'
import { textProblems, wayOf } from './messages/sms-form.ts'
import { Chosen } from './templates/menu.ts'
import { composeTemplateOf } from './templates/table.ts'

/** Errors by field, as the wire's English texts, which the fields translate. */
export function problemsOf(form: ComposeForm, now: Date): Record<string, string> {
  const fields = {
    campaignName: Name,
    template: Chosen,
    cli: Chosen,
    ...(form.ringSeconds !== '' && { ringSeconds: RingSeconds }),
    ...composeTemplateOf(form.template)?.schema(form),
    ...contactFields(form),
    ...scheduleFields(form, now),
    ...smsFields(form),
  }
  return { ...problemsIn(fields, form), ...textProblems(form) }
}

function smsFields(form: ComposeForm): Record<string, z.ZodMiniType> {
  const asked = smsOccasions.filter((occasion) => wayOf(form, occasion) === 'address')
  return Object.fromEntries(asked.map((occasion) => [addressFields[occasion], SmsAddress]))
}

/** The checks that campaigns of messages need too; their text is validated elsewhere. */
export function sendingProblems(form: ComposeForm, now: Date): Record<string, string> {
  const fields = { campaignName: Name, cli: Chosen, ...contactFields(form), ...scheduleFields(form, now) }
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
  if (form.contactsFrom === 'stored') return { storedBase: Chosen }
  return form.uploadedBase ? {} : { file: PickedFile, baseName: Name }
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
