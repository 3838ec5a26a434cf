import { Suspense } from 'react'
import type { IconName } from './Drawing.tsx'
import { late } from '../loading/late.tsx'

export type { IconName }

type IconProps = { name: IconName; size?: number }
const Place = ({ size }: { size: number }) => <svg width={size} height={size} aria-hidden />
// Loaded after the first paint, which shows the labels. An icon that does not load leaves its space empty.
const Drawing = late(() => import('./Drawing.tsx').catch(() => ({ default: Place })))

/** An icon of the shell; its space is reserved before its drawing loads. */
export function Icon({ name, size = 18 }: IconProps) {
  return (
    <Suspense fallback={<Place size={size} />}>
      <Drawing name={name} size={size} />
    </Suspense>
  )
}
