import { hookEvents, hookRoutes, type HookEvent, type HookRow } from '@ghanti/contract/hooks.ts'
import { useForm } from '@mantine/form'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { DialogForm } from '../../../components/form/DialogForm.tsx'
import { MultiSelectField } from '../../../components/form/select/MultiSelectField.tsx'
import { TextField } from '../../../components/form/TextField.tsx'
import { showDone } from '../../../components/ui/toasts/toasts.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useHookTexts } from './texts.ts'

type Fields = { url: string; events: HookEvent[] }
/** `made`: what follows, with the secret; null: there is none. */
type HookFormProps = { hook?: HookRow; made?: (secret: string | null) => void; close: () => void }

/** Of a new one, or of `hook`. */
export function HookForm({ hook, made, close }: HookFormProps) {
  const t = useHookTexts()
  const { nothingFound } = useTexts('common').form
  const form = useForm<Fields>({
    mode: 'uncontrolled',
    initialValues: { url: '', events: hook?.events ?? [...hookEvents] },
    validate: { events: (events) => (events.length > 0 ? null : 'must name at least one') },
  })
  const save = async ({ url, events }: Fields) => {
    const input = { events, ...(url.trim() !== '' && { url: url.trim() }) }
    if (!hook) return made?.((await call(hookRoutes.create, input)).secret)
    await call(hookRoutes.update, { hookId: hook.hookId, ...input }).finally(() => refresh(hookRoutes.list))
    close()
    showDone(t.changed)
  }
  const [submit, failed] = hook ? [t.save, t.changeFailed] : [t.submit, t.createFailed]
  return (
    <DialogForm form={form} save={save} submit={submit} cancel={t.cancel} close={close} failed={failed}>
      {hook?.host !== null && (
        <TextField
          form={form}
          name="url"
          label={t.fields.url}
          description={`${t.urlHint} ${hook ? t.urlSame : t.urlEmpty}`}
          maxLength={1000}
          autoComplete="off"
          autoFocus
        />
      )}
      <MultiSelectField
        form={form}
        name="events"
        label={t.fields.events}
        required
        data={hookEvents.map((value) => ({ value, label: t.events[value] }))}
        emptyText={nothingFound}
      />
    </DialogForm>
  )
}
