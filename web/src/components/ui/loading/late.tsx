import { lazy, useEffect, useState, type ComponentType } from 'react'
import { loadAgain } from '../../../code-loading.ts'
import { LoadFailed } from './LoadFailed.tsx'

type Loaded<Props> = { default: ComponentType<Props> }

/**
 * A part loaded on demand, like React's `lazy`, inside a Suspense. If loading fails, a message appears in its place and loading is retried. What surrounds
 * it, and what was typed there, stays. `floating`: the part, such as a dialog, has no place of its own.
 *
 * What has loaded already, as after `preload`, is rendered at once. `lazy` would suspend even then, and React replaces a fallback no sooner than
 * 300 ms after showing it. Where that matters, `useLoaded` says when to render the part, which then does not suspend.
 */
export function late<Props extends object>(load: () => Promise<Loaded<Props>>, { floating = false } = {}) {
  let Part: ComponentType<Props> | null = null
  let loading: Promise<Loaded<Props>> | null = null
  const preload = () => {
    loading ??= load()
      .catch(() => ({ default: loadable(load, floating) }))
      .then((loaded) => {
        Part = loaded.default
        return loaded
      })
    return loading
  }
  const Waiting = lazy(preload)
  // A part that suspends has no state yet, so it is chosen again when it has loaded, and stays the same from then on.
  function Late(props: Props) {
    const [Shown] = useState((): ComponentType<Props> => Part ?? Waiting)
    return <Shown {...props} />
  }
  function useLoaded(): boolean {
    const [isLoaded, setLoaded] = useState(Part !== null)
    useEffect(() => {
      if (!isLoaded) void preload().then(() => setLoaded(true))
    }, [isLoaded])
    return isLoaded
  }
  return Object.assign(Late, { preload, useLoaded })
}

/** Says that a part has not loaded, and becomes the part as soon as it has. */
export function loadable<Props extends object>(
  load: () => Promise<Loaded<Props>>,
  floating = false,
): ComponentType<Props> {
  let Part: ComponentType<Props> | null = null
  return function Loadable(props: Props) {
    const [, setLoaded] = useState(Part !== null)
    if (Part) return <Part {...props} />
    const tryAgain = async () => {
      Part = (await loadAgain(load)).default
    }
    return <LoadFailed tryAgain={tryAgain} onLoad={() => setLoaded(true)} floating={floating} />
  }
}
