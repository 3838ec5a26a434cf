import { useEffect } from 'react'

/** Ignores drops outside of fields: the browser would open the file in place of the page and lose what was typed. */
export function useKeepPage(): void {
  useEffect(() => {
    const keepPage = (event: DragEvent) => event.preventDefault()
    window.addEventListener('dragover', keepPage)
    window.addEventListener('drop', keepPage)
    return () => {
      window.removeEventListener('dragover', keepPage)
      window.removeEventListener('drop', keepPage)
    }
  }, [])
}
