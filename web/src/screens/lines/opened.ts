import { useState } from 'react'

/** Of an address; null for one that cannot be a line's. */
export function idOf(param: string | undefined): number | null {
  return /^[1-9]\d{0,8}$/.test(param ?? '') ? Number(param) : null
}

/** What was there once it had been read; what is read later must not change under whoever types. */
export function useOpened<Data>({ data, isFetching }: { data: Data | undefined; isFetching: boolean }) {
  const [opened, setOpened] = useState<Data>()
  if (opened === undefined && data !== undefined && !isFetching) setOpened(data)
  return opened
}
