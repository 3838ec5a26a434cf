import { lineRoutes, type CliRow } from '@ghanti/contract/lines.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react'
import { call } from '../../api/client.ts'
import { askForAll, leftOut } from '../../components/table/bulk.tsx'
import type { Bulk } from '../../components/table/DataTable.tsx'
import { refreshClis } from './actions.tsx'
import type { Context } from './columns.tsx'

/** Takes back several allocations: those a reseller gave, or for super admins anybody's. */
export function takeBackMany(context: Pick<Context, 'role' | 'username' | 't' | 'common' | 'format'>): Bulk<CliRow> {
  const { role, username, t, common, format } = context
  const nameOf = ({ cli, allocation }: CliRow) => `${format.phone(cli)}, ${allocation?.username ?? ''}`
  const label = t.actions.remove
  return {
    nameOf,
    actions: (chosen, keep) => {
      const rows = chosen.filter(({ allocation }) => role === 'superAdmin' || allocation?.givenBy === username)
      const [first, ...others] = rows
      return [
        {
          label,
          icon: IconArrowBackUp,
          danger: true,
          disabledReason: first ? undefined : t.noneYours,
          onClick: () =>
            askForAll(
              {
                label,
                done: t.removed,
                rows,
                nameOf,
                keep,
                idOf: ({ allocation }) => allocation?.allocationId ?? 0,
                question:
                  first && others.length === 0
                    ? t.questions.remove(first.allocation?.username ?? '')
                    : t.questions.removeMany(format.count(rows.length)),
                failure: messages.cliRemoveFailed,
                labels: { cliId: t.fields.cliId },
                danger: true,
                run: (allocationIds) => call(lineRoutes.deallocateMany, { allocationIds }),
                again: refreshClis,
                ...leftOut(chosen, rows, { format }),
              },
              { common, format },
            ),
        },
      ]
    },
  }
}

/** Super admins delete several, others give several back; each is decided by itself. */
export function removeMany({
  role,
  t,
  common,
  format,
}: Pick<Context, 'role' | 't' | 'common' | 'format'>): Bulk<CliRow> {
  const isDeleted = role === 'superAdmin'
  const label = isDeleted ? t.actions.delete : t.actions.giveBack
  const nameOf = (row: CliRow) => format.phone(row.cli)
  const questionOf = (count: number) => {
    if (count === 1) return isDeleted ? t.questions.delete : t.questions.giveBack
    return (isDeleted ? t.questions.deleteMany : t.questions.giveBackMany)(format.count(count))
  }
  return {
    nameOf,
    actions: (rows, keep) => [
      {
        label,
        icon: isDeleted ? IconTrash : IconArrowBackUp,
        danger: true,
        onClick: () =>
          askForAll(
            {
              label,
              done: isDeleted ? t.deleted : t.givenBack,
              rows,
              nameOf,
              keep,
              idOf: (row) => row.cliId,
              question: questionOf(rows.length),
              failure: isDeleted ? messages.cliDeleteFailed : messages.cliRemoveFailed,
              labels: { cliId: t.fields.cliId },
              danger: true,
              run: (cliIds) => call(lineRoutes.deleteMany, { cliIds }),
              again: refreshClis,
            },
            { common, format },
          ),
      },
    ],
  }
}
