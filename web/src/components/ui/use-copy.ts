import { useState, type RefObject } from 'react'

/**
 * Copies a text that `shown` holds. Where the browser gives no access to the clipboard (an office's network may serve the console without TLS), `copied` is
 * false and `shown` is selected, to be copied by hand. Null: nobody has tried.
 */
export function useCopy(text: string, shown: RefObject<Element | null>) {
  const [copied, setCopied] = useState<boolean | null>(null)
  const copy = async (): Promise<void> => {
    const done = await copyText(text)
    if (!done && shown.current) getSelection()?.selectAllChildren(shown.current)
    setCopied(done)
  }
  return { copied, copy }
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
