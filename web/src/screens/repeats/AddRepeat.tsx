import { repeatNameMax, repeatRoutes } from '@ghanti/contract/repeats.ts'
import { setupRoutes } from '@ghanti/contract/setups.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import type { Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { blankForm, isCounted, problemsOf, ruleBody, type RepeatForm } from './form.ts'
import { NextDays } from './NextDays.tsx'
import { RuleFields } from './RuleFields.tsx'
import { Times } from './Times.tsx'

const settleMs = 400

export default function AddRepeat() {
  const t = useTexts('repeats')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [now] = useState(() => new Date())
  const [start] = useState(() => ({ ...blankForm(now), setupId: search.get('setup') }))
  const [settled, setSettled] = useState<RepeatForm>(start)
  const settle = useDebouncedCallback(setSettled, settleMs)
  const [failure, setFailure] = useState<unknown>(null)
  const form: Form<RepeatForm> = useForm<RepeatForm>({
    mode: 'uncontrolled',
    initialValues: start,
    validate: (values) => problemsOf(values, new Date()),
    onValuesChange: settle,
  })
  const save = form.onSubmit(async (values) => {
    const body = ruleBody(values, new Date())
    if (!body) return
    setFailure(null)
    try {
      const asked = { ...body, repeatName: values.repeatName.trim(), setupId: Number(values.setupId) }
      const { repeatId } = await call(repeatRoutes.create, asked)
      void refresh(repeatRoutes.list)
      showDone(t.form.made(asked.repeatName))
      await navigate(`/repeating/${repeatId}`)
    } catch (error) {
      setFailure(placeErrors(form, error))
    }
  }, focusInvalid(form))
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <What form={form} />
      <RuleFields form={form} />
      <Times form={form} />
      <NextDays body={ruleBody(settled, now)} counted={isCounted(settled)} />
      <ErrorSummary form={form} labels={t.fields} />
      {failure !== null && <Failed error={failure} labels={t.fields} />}
      <div className={layout.buttons}>
        <Button type="submit" loading={form.submitting}>
          {t.form.submit}
        </Button>
      </div>
    </form>
  )
}

function What({ form }: { form: Form<RepeatForm> }) {
  const { fields, form: t } = useTexts('repeats')
  const format = useFormat()
  const setups = useQuery(jsonQuery(setupRoutes.list, {}))
  const bases = useQuery(jsonQuery(contactRoutes.bases, { userId: useSession().userId }))
  return (
    <>
      <TextField
        form={form}
        name="repeatName"
        label={fields.repeatName}
        description={t.nameHint}
        required
        maxLength={repeatNameMax}
        autoComplete="off"
      />
      <SelectField
        form={form}
        name="setupId"
        label={fields.setupId}
        description={t.setupHint}
        required
        data={setups.data?.map(({ setupId, setupName }) => ({ value: String(setupId), label: setupName }))}
        emptyText={t.noSetups}
        loadError={setups.error && !setups.data ? failureTexts(setups.error).message : undefined}
      />
      <SelectField
        form={form}
        name="baseId"
        label={fields.baseId}
        description={t.baseHint}
        required
        data={bases.data?.map(({ baseId, baseName, rows }) => ({
          value: String(baseId),
          label: `${baseName} (${t.rows(format.count(rows))})`,
        }))}
        emptyText={t.noFiles}
        loadError={bases.error && !bases.data ? failureTexts(bases.error).message : undefined}
      />
    </>
  )
}
