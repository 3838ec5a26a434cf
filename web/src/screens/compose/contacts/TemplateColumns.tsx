import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { Button, Loader, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { failureTexts } from '../../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../../i18n/language.ts'
import { guessColumns } from '../../contacts/check/column-names.ts'
import type { Preview } from '../queries.ts'
import classes from './ContactsPreview.module.css'

type TemplateColumnsProps = {
  baseId: number
  /** The columns that the template speaks. */
  wanted: readonly string[]
  /** Where they are read from now. */
  from: Preview['spokenFrom']
}

/** Asks which columns of a contact file are those that the template speaks. */
export function TemplateColumns({ baseId, wanted, from }: TemplateColumnsProps) {
  const file = useQuery({
    queryKey: [composeRoutes.preview.path, 'columns', baseId],
    queryFn: ({ signal }) => call(composeRoutes.preview, { baseId }, { signal }),
    staleTime: Infinity,
  })
  if (file.error) return <p className={classes.alert}>{failureTexts(file.error).message}</p>
  if (!file.data) return <Loader size="sm" />
  return <Choice baseId={baseId} wanted={wanted} from={from} file={file.data} />
}

const valuesShown = 2

function Choice({ baseId, wanted, from, file }: TemplateColumnsProps & { file: Preview }) {
  const { preview: t } = useTexts('compose')
  const others = file.columns.slice(1)
  const [chosen, setChosen] = useState(() => {
    const guessed = guessColumns(wanted, others, [])
    return wanted.map((column, index) => ownValue(from, column) ?? others[guessed[index] ?? -1] ?? '')
  })
  const [failure, setFailure] = useState<unknown>(null)
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    setFailure(null)
    try {
      const columns = Object.fromEntries(wanted.map((column, index) => [column, chosen[index] ?? '']))
      await call(contactRoutes.columns, { baseId, columns })
      await refresh(composeRoutes.preview)
    } catch (error) {
      setFailure(error)
    } finally {
      setSaving(false)
    }
  }
  const labelOf = (name: string) => {
    const values = file.first.flatMap((row) => ownValue(row.values, name) ?? []).slice(0, valuesShown)
    return values.length > 0 ? `${name} (${values.join(', ')})` : name
  }
  return (
    <section className={classes.spoken} aria-label={t.columnsTitle}>
      <h3>{t.columnsTitle}</h3>
      {wanted.map((column, index) => (
        <NativeSelect
          key={column}
          label={t.columnFor(column)}
          data={[{ value: '', label: t.noColumn }, ...others.map((name) => ({ value: name, label: labelOf(name) }))]}
          value={chosen[index] ?? ''}
          onChange={(event) => setChosen(chosen.with(index, event.currentTarget.value))}
        />
      ))}
      {failure !== null && (
        <p role="alert" className={classes.alert}>
          {failureTexts(failure).helps.join(' ')}
        </p>
      )}
      <div>
        <Button onClick={() => void save()} loading={isSaving}>
          {t.useColumns}
        </Button>
      </div>
    </section>
  )
}
