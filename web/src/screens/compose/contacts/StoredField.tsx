import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../../api/session.ts'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import Empty from '../../../components/ui/Empty.tsx'
import { failureTexts } from '../../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import type { FormOfCompose } from '../form.ts'
import { basesQuery } from '../queries.ts'
import { useWatched } from '../use-watched.ts'

export default function StoredField({ form }: { form: FormOfCompose }) {
  const { contacts: t } = useTexts('compose')
  const format = useFormat()
  const bases = useQuery(basesQuery(useSession().userId))
  const chosen = useWatched(form, 'storedBase')
  const offered = bases.data?.map(({ baseId, baseName, rows }) => ({
    value: String(baseId),
    label: t.storedRows(baseName, format.count(rows)),
  }))
  // Pasted numbers are not listed, but a duplicated campaign may use them.
  if (chosen !== null && offered?.every(({ value }) => value !== chosen))
    offered.unshift({ value: chosen, label: t.storedPasted })
  return (
    <div>
      <SelectField
        form={form}
        name="storedBase"
        label={t.stored}
        required
        data={offered}
        emptyText={t.noneStored}
        loadError={bases.error && !bases.data ? failureTexts(bases.error).message : undefined}
      />
      {offered?.length === 0 && (
        <Empty drawing="list" text={t.storeFirst}>
          <Button variant="default" size="xs" onClick={() => form.setFieldValue('contactsFrom', 'upload')}>
            {t.ways.upload}
          </Button>
        </Empty>
      )}
    </div>
  )
}
