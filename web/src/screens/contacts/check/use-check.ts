import { contactRoutes, type CheckedFile, type ChosenColumns } from '@ghanti/contract/contacts.ts'
import { dialable } from '@ghanti/contract/phone.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { checkedColumns, firstChoice } from './choice.ts'
import type { FileReading } from './file-reading.ts'
import { keptOfFile, type Kept, type TypedRow } from './kept.ts'

const pauseMs = 800

type Asked = { sheet: string | undefined; hiddenRows?: 'take'; columns?: ChosenColumns; numbers?: TypedNumber[] }
type TypedNumber = { line: number; number: string }

const queryOf = (file: File, asked: Asked) => ({
  queryKey: [contactRoutes.look.path, file.name, file.size, file.lastModified, asked],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call(contactRoutes.look, { check: 'yes' as const, ...asked }, { files: { baseFile: file }, signal }),
  staleTime: Infinity,
  gcTime: 60_000,
  retry: false,
})

export function numbersOf(typed: readonly TypedRow[]): TypedNumber[] {
  return typed.flatMap(({ line, typed: number }) => (dialable(number) === null ? [] : [{ line, number }]))
}

/**
 * Reads a file before it is stored: what was found in it, what a person says of it, and what would come of that. `isOld`: what is said has changed and
 * the file is being read again.
 */
export function useCheck(file: File, reading: FileReading, wanted: readonly string[]) {
  const [kept, setKept] = useState<Kept>(
    () =>
      keptOfFile.get(file) ?? {
        sheet: reading.sheet,
        choice: null,
        hiddenRows: reading.hiddenRows ?? 'leave',
        typed: [],
      },
  )
  useEffect(() => {
    keptOfFile.set(file, kept)
  }, [file, kept])
  const found = useQuery(queryOf(file, { sheet: kept.sheet }))
  const look = found.data
  const choice = look ? (kept.choice ?? firstChoice(look, reading, wanted)) : null
  const columns = look && choice ? checkedColumns(look, choice) : undefined
  const isTaken = kept.hiddenRows === 'take'
  // Each question reads the file, and an account may ask twenty a minute.
  const [typed] = useDebouncedValue(kept.typed, pauseMs)
  const numbers = kept.typed.length === 0 ? [] : numbersOf(typed)
  const asked: Asked = {
    sheet: kept.sheet,
    ...(isTaken && { hiddenRows: 'take' as const }),
    ...(columns && { columns }),
    ...(numbers.length > 0 && { numbers }),
  }
  const isOther = Object.keys(asked).length > 1
  const again = useQuery({
    ...queryOf(file, asked),
    enabled: look !== undefined && isOther,
    // What was said with fewer typed numbers serves meanwhile; what was said of another column does not.
    placeholderData: (before, query) =>
      query && isSameTable(query.queryKey.at(-1) as Asked, asked) ? before : undefined,
  })
  const isFound = columns === undefined && !isTaken
  const known = (isOther ? again.data?.checked : undefined) ?? (isFound ? look?.checked : undefined)
  return {
    look,
    choice,
    kept,
    change: (part: Partial<Kept>) => setKept((before) => ({ ...before, ...part })),
    checked: known ?? look?.checked ?? null,
    isOld: !known,
    error: found.error ?? (isOther ? again.error : null),
    retry: () => void (found.error ? found : again).refetch(),
  }
}

function isSameTable(a: Asked, b: Asked): boolean {
  return a.hiddenRows === b.hiddenRows && JSON.stringify(a.columns) === JSON.stringify(b.columns) && a.sheet === b.sheet
}

/** How many rows are good with what was typed, of which the check may not know yet. */
export function goodWith({ good, refused }: CheckedFile, typed: readonly TypedRow[]): number {
  const lines = new Set(numbersOf(typed).map(({ line }) => line))
  return good + refused.filter(({ line, number }) => number !== null && lines.has(line)).length
}
