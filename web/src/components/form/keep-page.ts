import { useEffect } from 'react'

/** A file that is dropped beside its field would be opened in place of the page, and what was filled in would be gone. */
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
