import { hookRoutes, type HookRow } from '@ghanti/contract/hooks.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { useForm } from '@mantine/form'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { DialogForm } from '../../../components/form/DialogForm.tsx'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import { showDialog } from '../../../components/ui/dialogs/dialogs.ts'
import { showDone } from '../../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useHookTexts } from '../hooks/texts.ts'
import { developerTexts, useDeveloperTexts } from '../texts.ts'

const choices = ['1', '24', '72', '168'] as const

/** Of one webhook, or of all. */
export function openSendAgain(only: HookRow | undefined): void {
  const { againAll, againTo } = developerTexts().deliveries
  const title = only ? againTo(only.host ?? '') : againAll
  showDialog({ title, size: 'md', render: (close) => <SendAgain only={only} close={close} /> })
}

function SendAgain({ only, close }: { only: HookRow | undefined; close: () => void }) {
  const t = useDeveloperTexts().deliveries
  const texts = useHookTexts()
  const format = useFormat()
  const { nothingFound } = useTexts('common').form
  const form = useForm<{ hours: string }>({ mode: 'uncontrolled', initialValues: { hours: '24' } })
  const save = async ({ hours }: { hours: string }) => {
    const failedSince = nepalTimeOf(new Date(Date.now() - Number(hours) * 3_600_000))
    const sent = await call(hookRoutes.replay, { failedSince, ...(only && { hookId: only.hookId }) })
    await refresh(hookRoutes.deliveries)
    close()
    showDone(t.sent(sent.deliveries, format.count(sent.deliveries)))
  }
  return (
    <DialogForm
      form={form}
      save={save}
      submit={texts.again}
      cancel={texts.cancel}
      close={close}
      failed={texts.againFailed}
    >
      <p>{t.againHint}</p>
      <SelectField
        form={form}
        name="hours"
        label={t.since}
        required
        data={choices.map((value) => ({ value, label: t.spans[value] }))}
        emptyText={nothingFound}
      />
    </DialogForm>
  )
}
