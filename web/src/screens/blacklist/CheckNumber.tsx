import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useWrite } from '../../api/query.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import page from '../../components/ui/Page.module.css'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Blacklist.module.css'

/** Lists of accounts above are not readable, only checkable number by number. */
export function CheckNumber() {
  const { check: t } = useTexts('blacklist')
  const format = useFormat()
  const check = useWrite(blacklistRoutes.check)
  const [asked, setAsked] = useState<{ mobile: string; blacklisted: boolean } | null>(null)
  const [params] = useSearchParams()
  const number = (params.get('number') ?? '').slice(0, 40)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { mobile: number },
    validate: { mobile: (mobile) => (mobile.trim() ? null : 'is required') },
  })

  const ask = async (said: { mobile: string }) => {
    setAsked(null)
    const mobile = said.mobile.trim()
    setAsked({ mobile, ...(await check.mutateAsync({ input: { mobile } })) })
  }

  return (
    <div className={page.card}>
      <form className={classes.check} onSubmit={saving(form, ask, { labels: { mobile: t.field } })} noValidate>
        <TextField form={form} name="mobile" label={t.label} inputMode="tel" autoComplete="off" maxLength={40} />
        <Button type="submit" variant="default" loading={check.isPending}>
          {t.submit}
        </Button>
        <p className={classes.answer} role="status">
          {asked && (asked.blacklisted ? t.yes : t.no)(format.phone(asked.mobile))}
        </p>
      </form>
    </div>
  )
}
