import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { baseIdOf, stepOfField, type ComposeForm } from '../form.ts'
import { whenText } from '../schedule/schedule.ts'
import { useNow } from '../schedule/use-now.ts'
import type { StepName } from './steps.ts'

type Known = {
  /** What the calls or messages are, in a word or two. */
  what: string
  /** Rows that are called or written to, once they are known. */
  people: number | undefined
  cost: string
  /** Errors that the form would have, by field. */
  problemsAt: (now: Date) => Readonly<Record<string, unknown>>
}

/** What each step holds so far, and which need nothing more. */
export function useSteps(form: ComposeForm, { what, people, cost, problemsAt }: Known) {
  const t = useTexts('compose')
  const format = useFormat()
  const now = useNow()
  const { scheduled, day, time } = form
  const when = scheduled ? (day && time ? format.moment(whenText(`${day} ${time}:00`, now)) : '') : t.review.now
  const said: Record<StepName, string> = {
    what,
    who: people === undefined ? '' : t.steps.people(format.count(people)),
    when,
    check: cost,
  }
  const open = new Set(Object.entries(problemsAt(now)).flatMap(([field, text]) => (text ? [stepOfField(field)] : [])))
  if (baseIdOf(form) === null) open.add('who')
  const done = new Set((['what', 'who', 'when'] as const).filter((step) => !open.has(step)))
  return { said, done }
}
