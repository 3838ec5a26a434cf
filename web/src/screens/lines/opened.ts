import { useState } from 'react'

/** The id in a URL; null when it is not a valid one. */
export function idOf(param: string | undefined): number | null {
  return /^[1-9]\d{0,8}$/.test(param ?? '') ? Number(param) : null
}

/** The data as first loaded; later replies must not change a form while somebody types. */
export function useOpened<Data>({ data, isFetching }: { data: Data | undefined; isFetching: boolean }) {
  const [opened, setOpened] = useState<Data>()
  if (opened === undefined && data !== undefined && !isFetching) setOpened(data)
  return opened
}
