import layout from '../../components/form/Form.module.css'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import { saving } from '../../components/form/server-errors.ts'
import { labelsFor } from '../../components/form/typed/typed-fields.ts'
import { loadTexts, serverText, useTexts } from '../../i18n/language.ts'
import classes from './Lines.module.css'
import {
  fieldsOfTrunk,
  trunkList,
  trunkFields,
  trunkRules,
  trunkTabs,
  type TrunkDetail,
  type TrunkValues,
} from './trunk-form.ts'
import { late } from '../../components/ui/loading/late.tsx'

// Their controls are large, so the page does not wait for them.
const FormTabs = late(() => import('../../components/form/FormTabs.tsx'))
const TrunkRows = late(() => import('./TrunkRows.tsx'))
void FormTabs.preload()
void TrunkRows.preload()
const Preset = late(async () => {
  const [part] = await Promise.all([import('./Preset.tsx'), loadTexts('trunkPresets')])
  return part
})
// Few trunks have either, and the words of symptoms are those of alerts.
const State = late(async () => ({ default: (await import('./Live.tsx')).State }))
const TrunkSymptoms = late(async () => {
  const [part] = await Promise.all([import('./TrunkSymptoms.tsx'), loadTexts('alerts')])
  return part
})

type TrunkFormProps = {
  initial: TrunkValues
  /** Null while it is being created. */
  trunk: TrunkDetail | null
  submit: string
  failure?: string
  /** Rejects with the server's error. `test`: its test opens afterwards. */
  onSave: (values: TrunkValues, test: boolean) => Promise<unknown>
}

export function TrunkForm({ initial, trunk, submit, failure, onSave }: TrunkFormProps) {
  const t = useTexts('trunkForms')
  const { live } = useTexts('lines')
  const form = useForm<TrunkValues>({ mode: 'uncontrolled', initialValues: initial, validate: trunkRules })
  const labels = labelsFor(trunkList, t.fields)
  const saveWith = (test: boolean) =>
    saving(form, (values) => onSave(values, test), {
      labels,
      fields: fieldsOfTrunk,
      failure: failure ?? true,
    })
  const [attempts, setAttempts] = useState(0)
  const [wanted, setWanted] = useState<{ name: string } | null>(null)
  const attempt = (send: () => void) => {
    setAttempts(attempts + 1)
    send()
  }
  const [plainly, withTest] = [saveWith(false), saveWith(true)]
  const tabs = trunkTabs.map((key) => ({
    key,
    label: t.tabs[key],
    fields: trunkFields.flatMap(([name, { tab }]) => (tab === key ? [name] : [])),
    content: (
      <div className={layout.fields}>
        <p className={layout.hint}>{t.about[key]}</p>
        {key === 'sip' && (
          <Suspense fallback={<div className={classes.picker} aria-busy />}>
            <Preset form={form} />
          </Suspense>
        )}
        <Suspense fallback={<div className={classes.loading} aria-busy />}>
          <TrunkRows form={form} tab={key} hasSecret={trunk?.sip.hasSecret ?? false} />
        </Suspense>
      </div>
    ),
  }))
  return (
    <form className={layout.form} onSubmit={(event) => attempt(() => void plainly(event))} noValidate>
      <Suspense fallback={null}>
        {trunk?.unusable && <State light="problem" text={live.unusable(serverText(trunk.unusable))} />}
        {trunk && trunk.symptoms.length > 0 && <TrunkSymptoms symptoms={trunk.symptoms} />}
      </Suspense>
      <Suspense fallback={<div className={classes.loading} aria-busy />}>
        <FormTabs
          label={t.tabsLabel}
          errors={form.errors}
          attempts={attempts}
          errorsIn={t.errorsIn}
          tabs={tabs}
          wanted={wanted}
        />
      </Suspense>
      <ErrorSummary form={form} labels={labels} onOpen={(name) => setWanted({ name })} />
      <div className={layout.buttons}>
        <Button variant="default" component={Link} to="/trunk-list">
          {t.cancel}
        </Button>
        <Button variant="default" disabled={form.submitting} onClick={() => attempt(() => void withTest())}>
          {t.saveAndTest}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
