import { setupRoutes } from '@ghanti/contract/setups.ts'
import { Button } from '@mantine/core'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { call, type SentOf } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { useTexts } from '../../../i18n/language.ts'
import { openSaveSetup } from '../../setups/dialogs.tsx'
import { toComposeBody } from '../compose-body.ts'
import { without, type ComposeForm, type FormOfCompose } from '../form.ts'
import { basesQuery } from '../queries.ts'
import { atFields, labelsOf } from '../wire-fields.ts'

/** Keeps what the form holds, complete or not. */
export function SaveSetupButton({ form }: { form: FormOfCompose }) {
  const t = useTexts('compose')
  const { userId } = useSession()
  const bases = useQueryClient()
  const open = () => {
    const values = form.getValues()
    const baseId = values.contactsFrom === 'stored' && values.storedBase !== null ? Number(values.storedBase) : null
    const stored = bases.getQueryData(basesQuery(userId).queryKey)?.find((base) => base.baseId === baseId)
    void openSaveSetup({
      name: values.campaignName.trim(),
      contacts: stored ? t.setup.withContacts(stored.baseName) : null,
      labels: labelsOf(t, values),
      save: (setupName, withContacts) =>
        call(setupRoutes.save, { setupName, ...fieldsOf(values), ...(withContacts && baseId !== null && { baseId }) })
          .catch((error: unknown) => {
            throw atFields(error)
          })
          .finally(() => refresh(setupRoutes.list)),
    })
  }
  return (
    <Button
      variant="subtle"
      fullWidth
      leftSection={<IconDeviceFloppy size={18} stroke={1.7} aria-hidden />}
      onClick={open}
    >
      {t.setup.save}
    </Button>
  )
}

/** Without name, time and people, and without addresses of messages, which have credentials. */
function fieldsOf(values: ComposeForm): Omit<SentOf<typeof setupRoutes.save>, 'setupName'> {
  return without(toComposeBody(values, 0), ({ isOnce, isSecret }) => isOnce === true || isSecret === true)
}
