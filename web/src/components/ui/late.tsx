import { lazy, useState, type ComponentType } from 'react'
import { loadAgain } from '../../arrival.ts'
import { NotArrived } from './NotArrived.tsx'

type Loaded<Props> = { default: ComponentType<Props> }

/**
 * A part of the console that is fetched when it is needed, like React's `lazy`; inside a Suspense. While it does not arrive its place says so and it
 * is tried again: what stands around it, and what was typed there, stays. `floating`: it has no place of its own, as a dialog.
 */
export function late<Props extends object>(load: () => Promise<Loaded<Props>>, { floating = false } = {}) {
  return lazy(() => load().catch(() => ({ default: arriving(load, floating) })))
}

/** A part that did not arrive at first: says so, and is the part as soon as it comes. */
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
