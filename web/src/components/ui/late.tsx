import { lazy, useState, type ComponentType } from 'react'
import { loadAgain } from '../../arrival.ts'
import { NotArrived } from './NotArrived.tsx'

type Loaded<Props> = { default: ComponentType<Props> }

/**
 * A part loaded on demand, like React's `lazy`, inside a Suspense. While loading fails, its place says so and it is retried; what surrounds
 * it, and what was typed there, stays. `floating`: it has no place of its own, like a dialog.
 */
export function late<Props extends object>(load: () => Promise<Loaded<Props>>, { floating = false } = {}) {
  return lazy(() => load().catch(() => ({ default: arriving(load, floating) })))
}

/** Says that a part has not loaded, and becomes the part as soon as it has. */
export function arriving<Props extends object>(
  load: () => Promise<Loaded<Props>>,
  floating = false,
): ComponentType<Props> {
  let Part: ComponentType<Props> | null = null
  return function Arriving(props: Props) {
    const [, setArrived] = useState(Part !== null)
    if (Part) return <Part {...props} />
    const tryAgain = async () => {
      Part = (await loadAgain(load)).default
    }
    return <NotArrived tryAgain={tryAgain} onArrive={() => setArrived(true)} floating={floating} />
  }
}
