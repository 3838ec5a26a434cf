import layout from '../../components/form/Form.module.css'
import { platformRoutes, stoppableOf, type dialBlockKinds, type stoppable } from '@ghanti/contract/platform.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { call } from '../../api/client.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { refreshSession } from '../../api/session.ts'
import { focusInvalid } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './StopDialling.module.css'
import { StopEffect } from './StopEffect.tsx'
import { late } from '../../components/ui/loading/late.tsx'

const TargetFields = late(() => import('./TargetFields.tsx'))

export type Kind = (typeof dialBlockKinds)[number]
type Stopped = (typeof stoppable)[number]
export type StopValues = { kind: Kind; what: Stopped; targetId: string | null; reason: string }

export const isListed = (kind: Kind) => kind === 'dialer' || kind === 'trunk' || kind === 'gateway'

/** Also the banner above the screen. If it came later, it would move the rows while somebody clicks one. */
export function refreshStops(): Promise<unknown> {
  return Promise.all([refresh(platformRoutes.dialBlocks), refreshSession()])
}

function useTargets(kind: Kind) {
  return useQuery({
    ...jsonQuery(platformRoutes.dialTargets, { kind: kind === 'platform' || kind === 'account' ? 'dialer' : kind }),
    enabled: isListed(kind),
  })
}
export type Targets = ReturnType<typeof useTargets>

/** Asks for confirmation: what is under way continues, nothing new starts. */
export function StopForm() {
  const t = useTexts('platform')
  const form = useForm<StopValues>({
    mode: 'uncontrolled',
    initialValues: { kind: 'platform', what: 'calls', targetId: null, reason: '' },
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
    form.setFieldValue('what', stoppableOf(value)[0] ?? 'calls')
  })
  const targets = useTargets(kind)

  const save = form.onSubmit(({ kind: chosen, what, targetId, reason }) => {
    const line = targets.data?.find((one) => String(one.targetId) === targetId)?.target ?? ''
    const name = { platform: t.kinds.platform, account: username, dialer: line, trunk: line, gateway: line }[chosen]
    const target = { kind: chosen, what, ...(chosen !== 'platform' && targetId ? { targetId: Number(targetId) } : {}) }
    confirm({
      title: name,
      verb: t.submit,
      question: t.question[what](name),
      failure: t.stopFailed,
      danger: true,
      details: <StopEffect target={target} />,
      onYes: async () => {
        await call(platformRoutes.stopDialling, { ...target, reason: reason.trim() })
        form.reset()
        await refreshStops()
      },
    })
  }, focusInvalid(form))

  return (
    <form className={layout.form} onSubmit={save} noValidate>
      <Suspense fallback={<div className={classes.picker} aria-busy />}>
        <TargetFields form={form} kind={kind} targets={targets} onChooseAccount={setUsername} />
      </Suspense>
      <TextField form={form} name="reason" label={t.reason} description={t.reasonHint} required maxLength={500} />
      <div className={layout.buttons}>
        <Button type="submit" color="var(--problem-fill)">
          {t.submit}
        </Button>
      </div>
    </form>
  )
}
