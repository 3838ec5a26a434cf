import { summaryAddressesMax, summaryMailRoutes, type SummaryAddress } from '@ghanti/contract/summary-mails.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { call } from '../../api/client.ts'
import { refresh, useWrite } from '../../api/query.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { confirm, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { Status } from '../../components/ui/Status.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './ReportsByMail.module.css'

const kinds = { confirmed: 'done', waiting: 'held', stopped: 'neutral' } as const

/** The addresses that get the summaries. Nothing is mailed to one until its reader has confirmed it. */
export function MailAddresses({ addresses }: { addresses: readonly SummaryAddress[] }) {
  const { addresses: t } = useTexts('summaryMails')
  const format = useFormat()
  return (
    <section className={classes.section} aria-labelledby="mail-addresses">
      <h2 id="mail-addresses">{t.title}</h2>
      <p className={classes.hint}>{t.hint(format.count(summaryAddressesMax))}</p>
      {addresses.length === 0 && <p>{t.none}</p>}
      <ul className={classes.addresses}>
        {addresses.map((one) => (
          <Line key={one.addressId} one={one} />
        ))}
      </ul>
      <Adder />
    </section>
  )
}

function Line({ one: { addressId, address, state } }: { one: SummaryAddress }) {
  const { addresses: t, fields } = useTexts('summaryMails')
  const again = useWrite(summaryMailRoutes.addAddress, [summaryMailRoutes.read])
  const send = () =>
    again.mutate(
      { input: { address } },
      { onSuccess: () => showDone(t.linkSent(address)), onError: (error) => showFailure(error, fields) },
    )
  return (
    <li>
      <span className={classes.address}>
        {address}
        <br />
        <Status is={kinds[state]}>{t.states[state]}</Status>
      </span>
      {state === 'waiting' && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t.againTo(address)}
          loading={again.isPending}
          onClick={send}
        >
          {t.again}
        </Button>
      )}
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t.removeThis(address)}
        onClick={() => askRemove({ addressId, address }, t, fields)}
      >
        {t.remove}
      </Button>
    </li>
  )
}

function askRemove(
  { addressId, address }: Pick<SummaryAddress, 'addressId' | 'address'>,
  t: TextsOf<'summaryMails'>['addresses'],
  labels: TextsOf<'summaryMails'>['fields'],
): void {
  confirm({
    title: address,
    verb: t.remove,
    question: t.question,
    failure: t.failed,
    labels,
    danger: true,
    onYes: async () => {
      await call(summaryMailRoutes.removeAddress, { addressId })
      await refresh(summaryMailRoutes.read)
      showDone(t.removed(address))
    },
  })
}

function Adder() {
  const { addresses: t, fields } = useTexts('summaryMails')
  const add = useWrite(summaryMailRoutes.addAddress, [summaryMailRoutes.read])
  const form = useForm({ mode: 'uncontrolled', initialValues: { address: '' } })
  const addIt = async ({ address }: { address: string }) => {
    await add.mutateAsync({ input: { address: address.trim() } })
    showDone(t.added(address.trim()))
    form.reset()
  }
  return (
    <form className={classes.adder} onSubmit={saving(form, addIt, { labels: fields })} noValidate>
      <TextField
        form={form}
        name="address"
        label={t.address}
        type="email"
        inputMode="email"
        autoComplete="off"
        maxLength={254}
      />
      <Button type="submit" variant="default" loading={form.submitting}>
        {t.add}
      </Button>
    </form>
  )
}
