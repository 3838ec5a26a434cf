import { useForm } from '@mantine/form'
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { focusInvalid, show } from '../../../components/form/server-errors.ts'
import { TextField } from '../../../components/form/TextField.tsx'
import layout from '../../../components/form/Form.module.css'
import { Page } from '../../../components/ui/Page.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useBaseUpload } from '../../compose/contacts/base-upload.ts'
import classes from '../../compose/Compose.module.css'
import { dropDraft, tabStorage } from '../../compose/opened/draft.ts'
import { baseIdOf, stepOfField, type ComposeForm } from '../../compose/form.ts'
import { useLeaveGuard } from '../../compose/opened/leave-guard.ts'
import { endOf, scheduleTimeOf } from '../../compose/schedule/schedule.ts'
import { WhenFields } from '../../compose/schedule/WhenFields.tsx'
import { Step } from '../../compose/steps/Step.tsx'
import { StepBar } from '../../compose/steps/StepBar.tsx'
import { useIsWide } from '../../compose/steps/use-is-wide.ts'
import { useSteps } from '../../compose/steps/use-steps.ts'
import { sendingProblems } from '../../compose/validate.ts'
import { Contacts } from './Contacts.tsx'
import { writeSmsDraft } from './draft.ts'
import { textProblem, type MessageText, type Start } from './message.ts'
import { useFormPreview, type PreviewBody } from '../queries.ts'
import { Check } from './Check.tsx'
import { RowPreview } from './RowPreview.tsx'
import SenderField from './SenderField.tsx'
import { TextSection } from './TextSection.tsx'
import { useSending } from './sending.tsx'

/** How long typing must pause before the server counts a personalised text row by row. */
const settleMs = 800
/** The text's placeholders are the columns of the contacts, which therefore come first. */
const smsSteps = ['who', 'what', 'when', 'check'] as const

type ComposeSmsProps = {
  draft: string
  start: Start
  blank: Start
  children?: ReactNode
}

export function ComposeSms({ draft, start, blank, children }: ComposeSmsProps) {
  const texts = useTexts('smsCompose')
  const t = useTexts('compose')
  const format = useFormat()
  const [message, setMessage] = useState<MessageText>(start.message)
  const [problem, setProblem] = useState<string | null>(null)
  const [row, setRow] = useState<number | null>(null)
  const [values, setValues] = useState(start.form)
  const form = useForm<ComposeForm>({
    mode: 'uncontrolled',
    initialValues: start.form,
    validate: (now) => sendingProblems(now, new Date()),
    onValuesChange: setValues,
  })
  const upload = useBaseUpload(form)
  useLeaveGuard(upload.progress === null ? null : texts.uploadLost)
  const [settled] = useDebouncedValue(message, settleMs)
  const baseId = baseIdOf(values)
  const { preview, columns } = useFormPreview(baseId, (ofBase, known) => bodyOf(values, ofBase, settled, row, known))
  const change = (next: MessageText) => {
    setMessage(next)
    setProblem(null)
  }
  const keep = useDebouncedCallback((now: Start) => writeSmsDraft(tabStorage(), draft, now, blank), {
    delay: settleMs,
    flushOnUnmount: true,
  })
  const typed = useRef(start)
  useEffect(() => {
    if (typed.current.form === values && typed.current.message === message) return
    typed.current = { form: values, message }
    keep(typed.current)
  }, [values, message, keep])
  const review = useSending(form, {
    onText: setProblem,
    onSent: () => {
      keep.cancel()
      dropDraft(tabStorage(), draft)
    },
  })
  const submit = form.onSubmit(
    async () => {
      if (!isWritten()) {
        requestAnimationFrame(() => show(form.getInputNode('smsText')))
        return
      }
      const uploaded = await upload.start()
      if (uploaded !== null) review(uploaded, message)
    },
    (errors) => {
      isWritten()
      focusInvalid(form)(errors)
    },
  )
  const isWritten = (): boolean => {
    const wrong = textProblem(message, columns)
    setProblem(wrong)
    return wrong === null
  }
  const isWide = useIsWide()
  const shown = problem ?? (message.text.trim() === '' ? null : textProblem(message, columns))
  const estimate = preview.data?.estimate
  const { said, done } = useSteps(values, {
    what: texts.templates[message.templateId === 1 ? 'personalised' : 'same'],
    people: preview.data?.accepted,
    cost: estimate ? texts.estimate.rupees(format.rupees(estimate.cost)) : '',
    problemsAt: (now) => ({ ...sendingProblems(values, now), smsText: textProblem(message, columns) }),
  })
  const telephone = <RowPreview preview={preview} sender={values.cli} onRow={setRow} />
  return (
    <form onSubmit={submit} noValidate className={classes.compose}>
      <Page title={texts.title}>
        {children}
        <StepBar
          order={smsSteps}
          errors={{ ...form.errors, smsText: shown }}
          stepOf={stepOfField}
          said={said}
          done={done}
        />
        <Step name="who">
          <Contacts form={form} upload={upload} preview={preview} />
        </Step>
        <Step name="what">
          <div className={layout.fields}>
            <TextField
              form={form}
              name="campaignName"
              label={t.campaignName}
              required
              maxLength={100}
              autoComplete="off"
            />
            <SenderField form={form} />
          </div>
          <TextSection message={message} problem={shown} columns={columns} onChange={change} />
          {!isWide && telephone}
        </Step>
        <Step name="when">
          <WhenFields form={form} of="messages" label={texts.later} />
        </Step>
        <Check form={form} problem={shown} preview={preview} busy={form.submitting} />
      </Page>
      {isWide && telephone}
    </form>
  )
}

/** A text is counted only when the file is known to have its columns. */
function bodyOf(
  values: ComposeForm,
  baseId: number,
  message: MessageText,
  row: number | null,
  columns: readonly string[] | null,
): PreviewBody {
  const { templateId, text } = message
  const scheduleTime = values.scheduled ? scheduleTimeOf(values.day, values.time) : ''
  return {
    baseId,
    templateId,
    ...(textProblem(message, columns ?? []) === null && { smsText: text }),
    ...(values.cli !== null && { cli: values.cli }),
    ...(row !== null && { row }),
    ...(scheduleTime !== '' && { scheduleTime }),
    ...(endOf(values) !== '' && { notAfter: endOf(values) }),
  }
}
