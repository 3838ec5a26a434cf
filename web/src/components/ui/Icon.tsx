import { Suspense } from 'react'
import type { IconName } from './Drawing.tsx'
import { late } from './late.tsx'

export type { IconName }

type IconProps = { name: IconName; size?: number }
const Place = ({ size }: { size: number }) => <svg width={size} height={size} aria-hidden />
// Some thirty drawings that nobody waits for: the words beside them are there at the first paint. One that does not arrive leaves its place empty.
const Drawing = late(() => import('./Drawing.tsx').catch(() => ({ default: Place })))

/** An icon of the sidebar; its place is there before its drawing. */
export function Icon({ name, size = 18 }: IconProps) {
  return (
    <Suspense fallback={<Place size={size} />}>
      <Drawing name={name} size={size} />
    </Suspense>
  )
}
