import { keyRoutes, keyScopes, type KeyScope } from '@ghanti/contract/keys.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { useForm } from '@mantine/form'
import { call } from '../../../api/client.ts'
import { DateField } from '../../../components/dates/DateField.tsx'
import { DialogForm } from '../../../components/form/DialogForm.tsx'
import { MultiSelectField } from '../../../components/form/select/MultiSelectField.tsx'
import { TextAreaField, TextField } from '../../../components/form/TextField.tsx'
import { useTexts } from '../../../i18n/language.ts'
import { useKeyTexts } from './texts.ts'

type KeyForm = { name: string; scopes: KeyScope[]; networks: string; expiresAt: string }

const wordsIn = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '')

/** `made`: what follows, with the key. */
export function NewKey({ made, close }: { made: (key: string) => void; close: () => void }) {
  const t = useKeyTexts()
  const { nothingFound } = useTexts('common').form
  const form = useForm<KeyForm>({
    mode: 'uncontrolled',
    initialValues: { name: '', scopes: [], networks: '', expiresAt: '' },
    validate: {
      name: (name) => (name.trim() ? null : 'is required'),
      scopes: (scopes) => (scopes.length > 0 ? null : 'must name at least one'),
    },
  })
  const save = async ({ name, scopes, networks, expiresAt }: KeyForm) => {
    const from = wordsIn(networks)
    const until = expiresAt && { expiresAt: `${expiresAt} 23:59:59` }
    const { key } = await call(keyRoutes.create, {
      name: name.trim(),
      scopes,
      ...(from.length > 0 && { networks: from }),
      ...until,
    })
    made(key)
  }
  return (
    <DialogForm form={form} save={save} submit={t.submit} cancel={t.cancel} close={close} failed={t.createFailed}>
      <TextField
        form={form}
        name="name"
        label={t.fields.name}
        required
        maxLength={nameMax}
        autoComplete="off"
        autoFocus
      />
      <MultiSelectField
        form={form}
        name="scopes"
        label={t.fields.scopes}
        description={t.scopesHint}
        required
        data={keyScopes.map((value) => ({ value, label: t.scopes[value] }))}
        emptyText={nothingFound}
      />
      <TextAreaField form={form} name="networks" label={t.fields.networks} description={t.networksHint} rows={2} />
      <DateField form={form} name="expiresAt" label={t.fields.expiresAt} description={t.expiresHint} empty="" />
    </DialogForm>
  )
}
