import { noticeRoutes, type NoticeChoice } from '@ghanti/contract/notices.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { languages } from '@ghanti/contract/templates.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { jsonQuery, useWrite } from '../../api/query.ts'
import layout from '../../components/form/Form.module.css'
import { placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'
import classes from './NoticeSettings.module.css'

type Choices = ReplyOf<typeof noticeRoutes.choices>

export default function NoticeSettings() {
  const { settings: t } = useTexts('notices')
  const choices = useQuery(jsonQuery(noticeRoutes.choices, {}))
  return (
    <section className={classes.section} aria-labelledby="notice-settings">
      <h2 id="notice-settings" className={classes.title}>
        {t.title}
      </h2>
      {choices.error && !choices.data && <Failure error={choices.error} onRetry={() => void choices.refetch()} />}
      {choices.data && <Settings key={choices.dataUpdatedAt} stored={choices.data} />}
    </section>
  )
}

function Settings({ stored }: { stored: Choices }) {
  const { settings: t } = useTexts('notices')
  const reading = useLanguage()
  const [choices, setChoices] = useState(stored.choices)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      lowBalanceLimit: stored.lowBalanceLimit === null ? '' : String(stored.lowBalanceLimit),
      mailLanguage: stored.mailLanguage ?? reading,
    },
  })
  const save = useWrite(noticeRoutes.choose, [noticeRoutes.choices])
  const submit = form.onSubmit(({ lowBalanceLimit, mailLanguage }) => {
    const limit =
      stored.lowBalanceLimit === null || lowBalanceLimit.trim() === ''
        ? {}
        : { lowBalanceLimit: lowBalanceLimit.trim() }
    save.mutate(
      { input: { choices, mailLanguage, ...limit } },
      {
        onSuccess: () => showDone(t.saved),
        onError: (error) => {
          const rest = placeErrors(form, error)
          if (rest !== null) showFailure(rest)
        },
      },
    )
  })
  const change = (changed: NoticeChoice) =>
    setChoices((before) => before.map((choice) => (choice.kind === changed.kind ? changed : choice)))
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <table className={classes.table} aria-labelledby="notice-settings">
        <thead>
          <tr>
            <th scope="col">{t.kind}</th>
            <th scope="col">{t.onScreen}</th>
            <th scope="col">{t.byMail}</th>
          </tr>
        </thead>
        <tbody>
          {choices.map((choice) => (
            <KindRow key={choice.kind} choice={choice} canMail={stored.mailAddress !== null} onChange={change} />
          ))}
        </tbody>
      </table>
      <p className={classes.hint}>{mailHint(t, stored)}</p>
      {stored.mailAddress !== null && (
        <div className={classes.limit}>
          <NativeSelect
            key={form.key('mailLanguage')}
            {...form.getInputProps('mailLanguage')}
            label={t.language}
            data={languages.map((value) => ({ value, label: t.languages[value] }))}
          />
        </div>
      )}
      {stored.lowBalanceLimit !== null && (
        <div className={classes.limit}>
          <TextField form={form} name="lowBalanceLimit" label={t.limit} description={t.limitHint} inputMode="numeric" />
        </div>
      )}
      <div className={layout.buttons}>
        <Button type="submit" loading={save.isPending}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}

function mailHint(t: TextsOf<'notices'>['settings'], { mailAddress, mailConfirmed, mailsUsedUp }: Choices): string {
  if (mailAddress === null) return t.noMail
  if (!mailConfirmed) return t.mailUnconfirmed(mailAddress)
  return mailsUsedUp ? t.mailsUsedUp(mailAddress) : t.mailTo(mailAddress)
}

type KindRowProps = { choice: NoticeChoice; canMail: boolean; onChange: (changed: NoticeChoice) => void }

function KindRow({ choice, canMail, onChange }: KindRowProps) {
  const { settings: t } = useTexts('notices')
  const kind = t.kinds[choice.kind]
  return (
    <tr>
      <th scope="row">{kind}</th>
      <td>
        <label className={classes.tick}>
          <input
            type="checkbox"
            aria-label={`${t.onScreen}: ${kind}`}
            checked={choice.onScreen}
            onChange={(event) => onChange({ ...choice, onScreen: event.currentTarget.checked })}
          />
        </label>
      </td>
      <td>
        <label className={classes.tick}>
          <input
            type="checkbox"
            aria-label={`${t.byMail}: ${kind}`}
            checked={choice.byMail}
            disabled={!canMail && !choice.byMail}
            title={canMail ? undefined : t.noMail}
            onChange={(event) => onChange({ ...choice, byMail: event.currentTarget.checked })}
          />
        </label>
      </td>
    </tr>
  )
}
