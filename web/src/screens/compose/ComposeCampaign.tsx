import { useForm } from '@mantine/form'
import { useDebouncedCallback } from '@mantine/hooks'
import { startTransition, useEffect, useState, type ReactNode } from 'react'
import { focusInvalid } from '../../components/form/server-errors.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { useBaseUpload } from './contacts/base-upload.ts'
import { CampaignFields } from './CampaignFields.tsx'
import classes from './Compose.module.css'
import { ContactsSection } from './contacts/ContactsSection.tsx'
import { dropDraft, tabStorage, writeDraft } from './opened/draft.ts'
import { baseIdOf, stepOfField, type ComposeForm } from './form.ts'
import { HearButton } from './review/HearButton.tsx'
import { TestButton } from './review/TestButton.tsx'
import { SmsSection } from './messages/SmsSection.tsx'
import { useLeaveGuard } from './opened/leave-guard.ts'
import { useFormPreview } from './form-preview.ts'
import { useOnlyCli } from './queries.ts'
import { SaveSetupButton } from './review/SaveSetupButton.tsx'
import { Check } from './review/Check.tsx'
import { useSending } from './review/sending.tsx'
import { TelephoneBeside } from './review/TelephoneBeside.tsx'
import { Step } from './steps/Step.tsx'
import { StepBar } from './steps/StepBar.tsx'
import { stepNames } from './steps/steps.ts'
import { useIsWide } from './steps/use-is-wide.ts'
import { useSteps } from './steps/use-steps.ts'
import { TemplateSection } from './TemplateSection.tsx'
import { composeTemplateOf } from './templates/table.ts'
import { cardWords } from './templates/template.ts'
import { WhenFields } from './schedule/WhenFields.tsx'
import { MoreFields } from './MoreFields.tsx'
import { problemsOf } from './validate.ts'

const settleMs = 400

type ComposeCampaignProps = {
  draft: string
  start: ComposeForm
  /** A form equal to this one needs no draft. */
  blank: ComposeForm
  children?: ReactNode
}

export function ComposeCampaign({ draft, start, blank, children }: ComposeCampaignProps) {
  const t = useTexts('compose')
  const format = useFormat()
  const onlyCli = useOnlyCli()
  // The form once typing has paused: draft and estimate use it, so that typing costs neither.
  const [settled, setSettled] = useState(start)
  const settle = useDebouncedCallback(
    (values: ComposeForm) => {
      writeDraft(tabStorage(), draft, values, { ...blank, cli: blank.cli ?? onlyCli })
      startTransition(() => setSettled(values))
    },
    { delay: settleMs, flushOnUnmount: true },
  )
  const form = useForm<ComposeForm>({
    mode: 'uncontrolled',
    initialValues: start,
    validate: (values) => problemsOf(values, new Date()),
    onValuesChange: settle,
  })
  const { getValues, setFieldValue } = form
  useEffect(() => {
    if (onlyCli !== null && getValues().cli === null) setFieldValue('cli', onlyCli)
  }, [onlyCli, getValues, setFieldValue])
  const upload = useBaseUpload(form)
  useLeaveGuard(upload.progress === null ? null : t.draft.uploadLost)
  const review = useSending(form, () => {
    settle.cancel()
    dropDraft(tabStorage(), draft)
  })

  const baseId = baseIdOf(settled)
  const { preview, columns } = useFormPreview(settled, baseId)
  const isWide = useIsWide()
  const shown = composeTemplateOf(settled.template)
  const { said, done } = useSteps(settled, {
    what: shown ? cardWords(shown, t).label : '',
    people: preview.data?.accepted,
    cost: preview.data?.estimate ? t.estimate.atMost(format.rupees(preview.data.estimate.atMost)) : '',
    problemsAt: (now) => problemsOf(settled, now),
  })
  const submit = form.onSubmit(async () => {
    const uploaded = await upload.start()
    if (uploaded !== null) review(uploaded)
  }, focusInvalid(form))

  return (
    <form onSubmit={submit} noValidate className={classes.compose}>
      <Page title={t.title}>
        {children}
        <StepBar order={stepNames} errors={form.errors} stepOf={stepOfField} said={said} done={done} />
        <Step name="what">
          <CampaignFields form={form} />
          <TemplateSection form={form} />
          <MoreFields form={form} />
          <SmsSection form={form} columns={columns} perSegment={preview.data?.estimate?.perSegment ?? null} />
        </Step>
        <Step name="who">
          <ContactsSection form={form} upload={upload} preview={preview} baseId={baseId} />
        </Step>
        <Step name="when">
          <WhenFields form={form} of="calls" label={t.schedule.later} />
        </Step>
        <Check form={form} preview={preview} busy={form.submitting}>
          {!isWide && <HearButton values={settled} baseId={baseId} />}
          <TestButton values={settled} baseId={baseId} estimate={preview.data?.estimate ?? null} />
          <SaveSetupButton form={form} />
        </Check>
      </Page>
      {isWide && <TelephoneBeside values={settled} baseId={baseId} />}
    </form>
  )
}
