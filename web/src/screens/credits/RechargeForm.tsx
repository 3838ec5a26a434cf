import { creditRoutes, paymentModes, type CreditAccount } from '@ghanti/contract/credits.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { jsonQuery, queryClient } from '../../api/query.ts'
import type { Form } from '../../components/form/field.ts'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { failureLines } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import {
  afterwards,
  amountFault,
  blankRecharge,
  doneAgo,
  toRecharge,
  typedPaisa,
  type RechargeValues,
} from './recharge-form.ts'
import type { Recharged, RechargeKind } from './recharge.tsx'
import classes from './Recharge.module.css'

type RechargeFormProps = { child: Recharged; kind: RechargeKind; close: () => void }

/** Shows the balance before asking for an amount; the same amount again within a minute needs a confirmation. */
export default function RechargeForm({ child, kind, close }: RechargeFormProps) {
  const t = useTexts('credits').recharge
  const common = useTexts('common')
  const format = useFormat()
  const query = { ...jsonQuery(creditRoutes.account, { userId: child.userId }), staleTime: 0 }
  const account = useQuery(query)
  const [again, setAgain] = useState<number | null>(null)
  const [refused, setRefused] = useState<readonly string[]>([])
  const form = useForm<RechargeValues>({
    mode: 'uncontrolled',
    initialValues: blankRecharge,
    validate: { credits: amountFault },
  })
  form.watch('credits', () => setAgain(null))
  const save = form.onSubmit(async (values) => {
    setRefused([])
    try {
      const ago = again === null ? doneAgo(await queryClient.fetchQuery(query), kind, values.credits) : null
      if (ago !== null) return setAgain(ago)
      const route = kind === 'add' ? creditRoutes.add : creditRoutes.remove
      const { free } = await call(route, toRecharge(child.userId, values))
      // Many screens show balances, so all are reloaded.
      void queryClient.invalidateQueries()
      const amount = format.rupees((typedPaisa(values.credits) ?? 0) / 100)
      close()
      showDone(t[kind].done(amount, child.username, format.rupees(free)))
    } catch (error) {
      setAgain(null)
      // What stands at a field is not said a second time.
      const rest = placeErrors(form, error)
      const due = messages.rechargeFailed
      setRefused(rest === null ? [serverText(due)] : failureLines(rest, t.fields, due))
      void account.refetch()
    }
  }, focusInvalid(form))
  if (!account.data)
    return account.error ? (
      <Failure error={account.error} onRetry={() => void account.refetch()} />
    ) : (
      <div className={classes.loading} aria-busy />
    )
  return (
    <form className={classes.form} onSubmit={save} noValidate>
      <Balances account={account.data} kind={kind} form={form} />
      <TextField
        form={form}
        name="credits"
        label={t.fields.credits}
        required
        inputMode="decimal"
        maxLength={40}
        autoComplete="off"
        autoFocus
      />
      <NativeSelect
        key={form.key('paymentMode')}
        label={t.fields.paymentMode}
        data={[{ value: '', label: t.noMode }, ...paymentModes.map((mode) => ({ value: mode, label: t.modes[mode] }))]}
        {...form.getInputProps('paymentMode')}
      />
      <TextField form={form} name="reference" label={t.fields.reference} maxLength={100} autoComplete="off" />
      <TextField form={form} name="note" label={t.fields.note} maxLength={500} autoComplete="off" />
      {again !== null && (
        <p className={classes.again} role="alert">
          {t[kind].again(format.count(again))}
        </p>
      )}
      {refused.length > 0 && (
        <div className={classes.failure} role="alert">
          {refused.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close} disabled={form.submitting}>
          {common.dialog.cancel}
        </Button>
        <Button type="submit" loading={form.submitting} {...(kind === 'remove' ? { color: 'red.9' } : {})}>
          {again === null ? t[kind].submit : t.yesAgain}
        </Button>
      </div>
    </form>
  )
}

type BalancesProps = { account: CreditAccount; kind: RechargeKind; form: Form<RechargeValues> }

function Balances({ account, kind, form }: BalancesProps) {
  const t = useTexts('credits').recharge
  const format = useFormat()
  // oxlint-disable-next-line react/hooks -- the form's own hook is the same in every render
  const paisa = typedPaisa(form.useWatchValue('credits'))
  const after = paisa === null ? null : afterwards(account, kind, paisa)
  const lines: [string, number | null][] = [
    [t.balance, account.free],
    ...(account.reserved > 0 ? [[t.reserved, account.reserved] as [string, number]] : []),
    ...(account.ownFree === null ? [] : [[t.ownFree, account.ownFree] as [string, number]]),
    [t.after, after && !after.short ? after.child : null],
    ...(account.ownFree === null ? [] : [[t.ownAfter, after && !after.short ? after.own : null] as [string, number]]),
  ]
  return (
    <dl className={classes.balances} aria-live="polite">
      {lines.map(([label, rupees]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-numeric>{rupees === null ? '–' : t.rupees(format.rupees(rupees))}</dd>
        </div>
      ))}
    </dl>
  )
}
