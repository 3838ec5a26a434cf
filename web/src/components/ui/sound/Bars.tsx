/** Half of the drawing's height in its own units. */
const half = 50
/** Shown as a line for a sound without peaks. */
const bars = 80

export function Bars({ peaks }: { peaks: readonly number[] | null }) {
  const width = peaks?.length ?? bars
  const path = peaks
    ? peaks
        .map((peak, bar) => `M${bar + 0.5} ${half - Math.max(peak * half, 2)}V${half + Math.max(peak * half, 2)}`)
        .join('')
    : `M0 ${half}H${width}`
  return (
    <svg viewBox={`0 0 ${width} ${2 * half}`} preserveAspectRatio="none" data-peaks={peaks !== null} aria-hidden>
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
