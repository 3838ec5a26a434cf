import layout from '../../components/form/Form.module.css'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { cliTaken, messages } from '@ghanti/contract/messages.ts'
import { ActionIcon, Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'
import { idOf } from '../lines/opened.ts'
import { refreshClis } from './actions.tsx'
import classes from './Clis.module.css'
import type { Option } from './SearchPicker.tsx'
import { late } from '../../components/ui/loading/late.tsx'

// Their controls are large, so the page does not wait for them.
const AllocateFields = late(() => import('./AllocateFields.tsx'))

export type AllocateValues = { cliId: string | null; userId: string | null }
type Row = { cli: Option; user: Option }
type Problem = { row: number; label: string; text: string }

/** Rows of a CLI and an account, allocated all or none. `?cliId&cli` and `?userId&username` prefill the first row. */
export default function AllocateCliScreen() {
  const { allocate: t, fields } = useTexts('clis')
  const format = useFormat()
  const leave = useLeave()
  const [params] = useSearchParams()
  const [cli, setCli] = useState(() => optionIn(params, 'cliId', 'cli', format.phone))
  const [user, setUser] = useState(() => optionIn(params, 'userId', 'username', (name) => name))
  const [rows, setRows] = useState<readonly Row[]>([])
  const [problems, setProblems] = useState<readonly Problem[]>([])
  const form = useForm<AllocateValues>({
    mode: 'uncontrolled',
    initialValues: { cliId: cli?.value ?? null, userId: user?.value ?? null },
  })

  /** Moves the filled row to the others. Null, with an error on screen, when it is incomplete. */
  const add = (): readonly Row[] | null => {
    const isTwice = rows.some((row) => row.cli.value === cli?.value)
    const refusal = !cli ? messages.cliMissing : isTwice ? cliTaken(cli.label) : null
    if (refusal !== null) return refuse('cliId', refusal)
    if (!user) return refuse('userId', 'is required')
    if (!cli) return null
    const added = [...rows, { cli, user }]
    setRows(added)
    setCli(null)
    form.setFieldValue('cliId', null)
    form.clearErrors()
    return added
  }
  const refuse = (name: keyof AllocateValues, text: string) => {
    form.setFieldError(name, text)
    form.getInputNode(name)?.focus()
    return null
  }
  const remove = (at: number) => {
    setRows(rows.filter((_, n) => n !== at))
    setProblems([])
  }
  const save = form.onSubmit(async () => {
    if (rows.length === 0 && !(cli && user)) return void refuse('cliId', messages.cliRowMissing)
    const all = cli ? add() : rows
    if (all === null) return
    setProblems([])
    try {
      const cliRows = all.map((row) => ({ cli: row.cli.label, cliId: row.cli.value, userId: row.user.value }))
      await call(lineRoutes.allocate, { cliRows })
      await refreshClis()
      await leave('/cli-list', t.done)
    } catch (error) {
      setProblems(problemsIn(error, fields))
      showFailure(error, labelsOf(all), true)
    }
  })

  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <form className={layout.form} onSubmit={save} noValidate>
        <Suspense fallback={<div className={lines.picker} aria-busy />}>
          <AllocateFields form={form} cli={cli} user={user} onCli={setCli} onUser={setUser} />
        </Suspense>
        <div>
          <Button variant="default" onClick={add}>
            {t.add}
          </Button>
        </div>
        <Rows rows={rows} problems={problems} remove={remove} />
        <div className={layout.buttons}>
          <Button variant="default" component={Link} to="/cli-list">
            {t.back}
          </Button>
          <Button type="submit" loading={form.submitting}>
            {t.title}
          </Button>
        </div>
      </form>
    </Page>
  )
}

function Rows({
  rows,
  problems,
  remove,
}: {
  rows: readonly Row[]
  problems: readonly Problem[]
  remove: (at: number) => void
}) {
  const { allocate: t } = useTexts('clis')
  if (rows.length === 0) return null
  return (
    <ol className={classes.rows} aria-label={t.rows}>
      {rows.map(({ cli, user }, n) => {
        const wrong = problems.filter(({ row }) => row === n)
        return (
          <li key={cli.value} data-wrong={wrong.length > 0 || undefined}>
            <span data-numeric>{cli.label}</span>
            <span>→ {user.label}</span>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t.remove(cli.label)}
              title={t.remove(cli.label)}
              onClick={() => remove(n)}
            >
              <IconTrash size={18} stroke={1.6} />
            </ActionIcon>
            {wrong.map(({ label, text }) => (
              <span key={text} className={classes.wrong}>
                {fieldText(label, text)}
              </span>
            ))}
          </li>
        )
      })}
    </ol>
  )
}

function optionIn(params: URLSearchParams, id: string, name: string, labelOf: (text: string) => string): Option | null {
  const value = idOf(params.get(id) ?? undefined)
  const label = params.get(name)
  return value === null || !label ? null : { value: String(value), label: labelOf(label) }
}

/** 'cliRows.1.cliId' → the second row. */
function problemsIn(error: unknown, fields: Record<'cliId' | 'userId', string>): Problem[] {
  if (!(error instanceof ApiError)) return []
  return error.errors.flatMap(({ field, text }) => {
    const [, row, name] = /^cliRows\.(\d+)\.(cliId|userId)$/.exec(field) ?? []
    return row === undefined
      ? []
      : [{ row: Number(row), label: name === 'userId' ? fields.userId : fields.cliId, text }]
  })
}

function labelsOf(rows: readonly Row[]): Record<string, string> {
  return Object.fromEntries(
    rows.flatMap(({ cli, user }, n) => [
      [`cliRows.${n}.cliId`, cli.label],
      [`cliRows.${n}.userId`, user.label],
    ]),
  )
}
