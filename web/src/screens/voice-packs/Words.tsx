import { voiceRoutes, wordMaxBytes, type VoicePackDetail, type VoicePackWord } from '@ghanti/contract/voices.ts'
import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { fileProblem } from '../../components/form/files/file-problem.ts'
import { DataTable, type Column } from '../../components/table/DataTable.tsx'
import { RowMenu } from '../../components/table/RowMenu.tsx'
import { useLocalList } from '../../components/table/use-list.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { Status } from '../../components/ui/Status.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { readAgain, wordActions } from './actions.ts'

type Shown = 'all' | 'missing' | 'waiting'
type NumberedWord = VoicePackWord & { number: number }

const isShown: Record<Shown, (word: VoicePackWord) => boolean> = {
  all: () => true,
  missing: (word) => word.durationMs === null && word.pendingMs === null,
  waiting: (word) => word.pendingMs !== null,
}

const how = {
  sortKeys: ['number', 'key'],
  searchIn: (row: NumberedWord) => `${row.word} ${row.key}`,
  valueOf: {
    number: (row: NumberedWord) => row.number,
    key: (row: NumberedWord) => row.key,
  },
}

const wordTypes = '.wav,audio/wav,audio/x-wav'

function pick(accept: string, onPick: (file: File) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  input.addEventListener('change', () => input.files?.[0] && onPick(input.files[0]))
  input.click()
}

async function replace(pack: VoicePackDetail, key: string, voiceFile: File, t: TextsOf<'voicePacks'>): Promise<void> {
  const problem = fileProblem(voiceFile, wordTypes, wordMaxBytes)
  if (problem !== null) return showFailure(new ApiError(415, problem))
  try {
    await call(voiceRoutes.upload, { packId: pack.packId, key }, { files: { voiceFile } })
  } catch (error) {
    showFailure(error, t.fields)
  } finally {
    await readAgain()
  }
}

type Context = { pack: VoicePackDetail; t: TextsOf<'voicePacks'>; takeAction: string; format: Format }

const columns = ({ pack, t, takeAction, format }: Context): Column<NumberedWord>[] => [
  { key: 'word', header: t.words.word, sortKey: 'number', cardTitle: true, cell: (row) => row.word },
  { key: 'key', header: t.words.file, sortKey: 'key', nowrap: true, cell: (row) => `${row.key}.wav` },
  { key: 'for', header: t.words.for, cell: (row) => neededFor(row, t) },
  { key: 'state', header: t.words.state, nowrap: true, cell: (row) => <State word={row} t={t} format={format} /> },
  {
    key: 'action',
    header: t.columns.action,
    pinned: true,
    nowrap: true,
    cell: (row) => (
      <RowMenu
        label={takeAction}
        subject={row.word}
        actions={() => wordActions(pack, row, t, () => pick(wordTypes, (file) => void replace(pack, row.key, file, t)))}
      />
    ),
  },
]

function neededFor({ kinds, calendar }: VoicePackWord, t: TextsOf<'voicePacks'>): string {
  const names = kinds.map((kind) => t.kinds[kind]).join(', ')
  return calendar === null ? names : `${names} (${t.calendars[calendar]})`
}

function State({ word, t, format }: { word: VoicePackWord; t: TextsOf<'voicePacks'>; format: Format }) {
  const seconds = (ms: number) => format.digits((ms / 1000).toFixed(1))
  const { durationMs, pendingMs } = word
  if (durationMs === null && pendingMs === null) return <Status is="neutral">{t.words.missing}</Status>
  return (
    <div>
      {durationMs !== null && <Status is="done">{t.words.approved(seconds(durationMs))}</Status>}
      {pendingMs !== null && <Status is="held">{t.words.waiting(seconds(pendingMs))}</Status>}
    </div>
  )
}

export function Words({
  pack,
  isFetching,
  onRefresh,
}: {
  pack: VoicePackDetail
  isFetching: boolean
  onRefresh: () => void
}) {
  const t = useTexts('voicePacks')
  const { table } = useTexts('common')
  const format = useFormat()
  const [shownNow, setShown] = useState<Shown>('all')
  const rows = useMemo(
    () => pack.words.map((word, number) => ({ ...word, number })).filter(isShown[shownNow]),
    [pack, shownNow],
  )
  const list = useLocalList({ rows, error: null, isFetching, refetch: onRefresh }, how)
  const shown = useMemo(() => columns({ pack, t, takeAction: table.takeAction, format }), [pack, t, table, format])
  return (
    <DataTable
      isScreen={false}
      title={t.words.title}
      columns={shown}
      rowId={(row) => row.key}
      list={list}
      empty="packWords"
      onNext={() => setShown('all')}
      tools={
        <Button.Group aria-label={t.words.show}>
          {(['all', 'missing', 'waiting'] as const).map((which) => (
            <Button
              key={which}
              variant={which === shownNow ? 'filled' : 'default'}
              aria-pressed={which === shownNow}
              onClick={() => setShown(which)}
            >
              {t.words.filters[which]}
            </Button>
          ))}
        </Button.Group>
      }
    />
  )
}
