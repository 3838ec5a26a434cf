import { useEffect } from 'react'

/** Outside of fields the browser would open a dropped file in place of the page and lose what was typed. */
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
