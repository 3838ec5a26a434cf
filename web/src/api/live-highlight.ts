const highlightMs = 120

/** Marks the rows of these campaigns for a moment, because they have changed under the reader's eyes; not where less motion is wished for. */
export function highlight(campaignIds: Iterable<number>): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  for (const id of campaignIds)
    for (const row of document.querySelectorAll(`main tr[data-row="${id}"]`))
      for (const part of [row, ...row.querySelectorAll('[data-pinned]')])
        part.animate([{ backgroundColor: 'var(--running-ground)' }, {}], highlightMs)
}
