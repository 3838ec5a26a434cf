import { dialBlockKinds, platformRoutes } from '@ghanti/contract/platform.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { AccountField } from '../../components/form/AccountField.tsx'
import { SelectField } from '../../components/form/SelectField.tsx'
import { focusInvalid } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { confirm } from '../../components/ui/dialogs.ts'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './StopDialling.module.css'

type Kind = (typeof dialBlockKinds)[number]
type StopValues = { kind: Kind; targetId: string | null; reason: string }

const isLine = (kind: Kind) => kind === 'dialer' || kind === 'trunk'

/** Asks once more before it stops anything: calls that ring go on, no new one begins. */
export function StopForm() {
  const t = useTexts('platform')
  const common = useTexts('common')
  const form = useForm<StopValues>({
    mode: 'uncontrolled',
    initialValues: { kind: 'platform', targetId: null, reason: '' },
    validate: {
      targetId: (targetId, { kind }) => (kind === 'platform' || targetId ? null : 'is required'),
      reason: (reason) => (reason.trim() ? null : 'is required'),
    },
  })
  const [kind, setKind] = useState<Kind>('platform')
  const [username, setUsername] = useState('')
  form.watch('kind', ({ value }) => {
    setKind(value)
    form.setFieldValue('targetId', null)
  })
  const targets = useQuery({
    ...jsonQuery(platformRoutes.dialTargets, { kind: isLine(kind) ? kind : 'dialer' }),
    enabled: isLine(kind),
  })

  const save = form.onSubmit(({ kind: chosen, targetId, reason }) => {
    const line = targets.data?.find((one) => String(one.targetId) === targetId)?.target ?? ''
    const name = { platform: t.kinds.platform, account: username, dialer: line, trunk: line }[chosen]
    confirm({
      title: name,
      question: t.question(name),
      failure: t.stopFailed,
      danger: true,
      onYes: async () => {
        await call(platformRoutes.stopDialling, {
          kind: chosen,
          reason: reason.trim(),
          ...(chosen === 'platform' || !targetId ? {} : { targetId: Number(targetId) }),
        })
        form.reset()
        await refresh(platformRoutes.dialBlocks)
      },
    })
  }, focusInvalid(form))

  return (
    <form className={classes.form} onSubmit={save} noValidate>
      <SelectField
        form={form}
        name="kind"
        label={t.what}
        required
        data={dialBlockKinds.map((value) => ({ value, label: t.kinds[value] }))}
        emptyText={common.form.noIdFound}
      />
      {kind === 'account' && (
        <AccountField form={form} name="targetId" label={t.target} required onChoose={setUsername} />
      )}
      {isLine(kind) && (
        <SelectField
          form={form}
          name="targetId"
          label={t.target}
          required
          searchable
          data={targets.data?.map(({ targetId, target }) => ({ value: String(targetId), label: target }))}
          emptyText={common.form.noIdFound}
          loadError={targets.error && !targets.data ? failureTexts(targets.error).message : undefined}
        />
      )}
      <TextField form={form} name="reason" label={t.reason} description={t.reasonHint} required maxLength={500} />
      <div>
        <Button type="submit" color="red.9">
          {t.submit}
        </Button>
      </div>
    </form>
  )
}
