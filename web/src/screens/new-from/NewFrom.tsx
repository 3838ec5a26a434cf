import { keyWithName } from '@ghanti/contract/key-names.ts'
import { answerRoutes } from '@ghanti/contract/answers.ts'
import { baseFromRoutes, rowEnds } from '@ghanti/contract/base-from.ts'
import { callKeys } from '@ghanti/contract/call-report.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import type { Form } from '../../components/form/field.ts'
import { wholeNumber } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { MultiSelectField } from '../../components/form/select/MultiSelectField.tsx'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { useTexts } from '../../i18n/language.ts'
import { basesQuery } from '../compose/queries.ts'
import { CampaignField } from './CampaignField.tsx'
import { blankChoice, bodyOf, nameOf, namesOfKeys, problemsOf, ways, type NewFromForm, type Source } from './choice.ts'
import { Making } from './Making.tsx'

const wireNames = { dispositions: 'ends', maxSeconds: 'seconds', notInCampaignId: 'other' } as const

type NewFromProps = { source: Source; close: () => void; go: (path: string) => void }

export default function NewFrom({ source, close, go }: NewFromProps) {
  const t = useTexts('newFrom')
  const { userId } = useSession()
  const bases = useQuery(basesQuery(userId))
  const [making, setMaking] = useState<number | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const form: Form<NewFromForm> = useForm<NewFromForm>({
    mode: 'uncontrolled',
    initialValues: blankChoice,
    validate: problemsOf,
  })
  const { menus = [] } = useQuery(jsonQuery(answerRoutes.ofCampaign, { campaignId: source.campaignId })).data ?? {}
  const names = namesOfKeys(menus)
  const taken = bases.data?.map(({ baseName }) => baseName) ?? []
  const make = form.onSubmit(async (values) => {
    setFailure(null)
    try {
      const name = values.baseName.trim() || nameOf(values, source.campaignName, taken, names, t)
      const { makingId } = await call(baseFromRoutes.make, bodyOf(values, source.campaignId, name))
      setMaking(makingId)
    } catch (error) {
      setFailure(placeErrors(form, error, wireNames))
    }
  }, focusInvalid(form))
  if (making !== null) return <Making makingId={making} onReady={go} onBack={() => setMaking(null)} close={close} />
  return (
    <form className={layout.form} onSubmit={make} noValidate>
      <p>{t.intro}</p>
      <Who form={form} names={names} />
      <CampaignField form={form} without={source.campaignId} />
      <Name form={form} source={source} taken={taken} names={names} />
      <p className={layout.hint}>{t.blacklisted}</p>
      {failure !== null && <Failed error={failure} labels={t.fields} />}
      <div className={layout.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {t.make}
        </Button>
      </div>
    </form>
  )
}

function Who({ form, names }: { form: Form<NewFromForm>; names: KeyLabels }) {
  const t = useTexts('newFrom')
  // oxlint-disable-next-line react/hooks -- the form's own hook is the same in every render
  const way = form.useWatchValue('way')
  return (
    <>
      <SelectField
        form={form}
        name="way"
        label={t.who}
        required
        data={ways.map((value) => ({ value, label: t.ways[value] }))}
        emptyText=""
      />
      {way === 'unreached' && (
        <MultiSelectField
          form={form}
          name="ends"
          label={t.ends}
          required
          data={rowEnds.filter((end) => end !== 'ANSWER').map((value) => ({ value, label: t.endNames[value] }))}
          emptyText=""
        />
      )}
      {way === 'keys' && (
        <MultiSelectField
          form={form}
          name="keys"
          label={t.keys}
          description={t.keysHint}
          required
          data={callKeys.map((value) => ({ value, label: keyWithName(names, value) }))}
          emptyText=""
        />
      )}
      {way === 'short' && <TextField form={form} name="seconds" label={t.seconds} required {...wholeNumber} />}
    </>
  )
}

type NameProps = { form: Form<NewFromForm>; source: Source; taken: readonly string[]; names: KeyLabels }

function Name({ form, source, taken, names }: NameProps) {
  const t = useTexts('newFrom')
  // oxlint-disable react/hooks -- as above
  const [way, keys, seconds] = [form.useWatchValue('way'), form.useWatchValue('keys'), form.useWatchValue('seconds')]
  // oxlint-enable react/hooks
  const name = nameOf({ way, keys, seconds }, source.campaignName, taken, names, t)
  return (
    <TextField form={form} name="baseName" label={t.baseName} placeholder={name} maxLength={100} autoComplete="off" />
  )
}
