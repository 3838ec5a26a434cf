import { retentionRoutes } from '@ghanti/contract/retention.ts'
import { Button, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/client.ts'
import layout from '../../components/form/Form.module.css'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../i18n/language.ts'

export type Deleted = {
  row: { campaignId: number; campaignName: string }
  route: 'deleteCalls' | 'deleteMessages'
  again: () => Promise<unknown>
}

/** The second confirmation is typing the campaign's name. */
export default function DeleteCampaign({ row, route, again, close }: Deleted & { close: () => void }) {
  const { delete: t, fields } = useTexts('retention')
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const differs = name.trim() !== '' && !row.campaignName.startsWith(name.trim())
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== row.campaignName) return
    setBusy(true)
    setFailure(null)
    try {
      await call(retentionRoutes[route], { campaignId: row.campaignId, campaignName: name })
      await again()
      close()
      showDone(t.done(row.campaignName))
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <form className={layout.form} onSubmit={(event) => void submit(event)}>
      <p>{t.gone}</p>
      <p>{t.kept}</p>
      <p>{t.file}</p>
      <TextInput
        label={t.name}
        description={row.campaignName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={differs ? t.differs : null}
        autoComplete="off"
        data-autofocus
      />
      <p>{t.question}</p>
      {failure !== null && <Failed error={failure} labels={fields} />}
      <div className={layout.buttons}>
        <Button variant="default" onClick={close}>
          {t.cancel}
        </Button>
        <Button type="submit" color="red" loading={busy} disabled={name.trim() !== row.campaignName}>
          {t.submit}
        </Button>
      </div>
    </form>
  )
}
