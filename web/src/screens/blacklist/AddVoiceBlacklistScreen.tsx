import layout from '../../components/form/Form.module.css'
import { blacklistRoutes } from '@ghanti/contract/blacklist.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useWrite } from '../../api/query.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'

/** Specification 2 §5; success leads to the list. */
export default function AddVoiceBlacklistScreen() {
  const t = useTexts('blacklist')
  const leave = useLeave()
  const add = useWrite(blacklistRoutes.add, [blacklistRoutes.list])
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { mobile: '' },
    validate: { mobile: (mobile) => (mobile.trim() ? null : 'is required') },
  })

  const save = async ({ mobile }: { mobile: string }) => {
    await add.mutateAsync({ input: { mobile: mobile.trim() } })
    await leave('/voice-blacklist', t.add.done(mobile.trim()))
  }

  return (
    <Page title={t.add.title}>
      <form
        className={layout.form}
        onSubmit={saving(form, save, { labels: { mobile: t.add.mobile }, failure: true })}
        noValidate
      >
        <TextField
          form={form}
          name="mobile"
          label={t.add.mobile}
          description={t.add.hint}
          required
          inputMode="tel"
          autoComplete="off"
          maxLength={40}
        />
        <div className={layout.buttons}>
          <Button type="submit" loading={add.isPending}>
            {t.add.submit}
          </Button>
        </div>
      </form>
    </Page>
  )
}
