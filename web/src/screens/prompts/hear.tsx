import { promptStatusCode, type PromptRow } from '@ghanti/contract/prompts.ts'
import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { listenTo } from '../../components/ui/sound/Player.tsx'
import { addressOfPrompt } from './actions.ts'

const Deciding = late(() => import('./Deciding.tsx'))

/** The listen modal (specification 1 §2), titled with the file's name. */
export const listenToRow = (row: PromptRow) => listenTo(row.fileName, addressOfPrompt(row))

/** The same for who decides: one file that waits after the other, beginning with `row`, until none is left. */
export function hearAndDecide(rows: readonly PromptRow[], row: PromptRow): void {
  const waiting = rows.filter(({ promptStatus }) => promptStatus === promptStatusCode.pending)
  const at = waiting.findIndex(({ promptId }) => promptId === row.promptId)
  if (at < 0) listenToRow(row)
  else show(waiting, at)
}

function show(waiting: readonly PromptRow[], at: number): void {
  const row = waiting[at]
  if (!row) return
  showDialog({
    title: row.fileName,
    size: 'lg',
    render: (close) => (
      <Suspense fallback={null}>
        <Deciding
          key={row.promptId}
          row={row}
          place={at + 1}
          count={waiting.length}
          onNext={() => show(waiting, (at + 1) % waiting.length)}
          onDecided={() => {
            const rest = waiting.toSpliced(at, 1)
            if (rest.length === 0) close()
            else show(rest, at % rest.length)
          }}
        />
      </Suspense>
    ),
  })
}
