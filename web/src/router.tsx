import type { Role } from '@ghanti/contract/roles.ts'
import { createBrowserRouter, redirect, type RouteObject } from 'react-router'
import { basePath } from './api/base.ts'
import { loadable } from './components/ui/loading/late.tsx'
import { screens, type ScreenLine } from './paths.ts'
import { loadScreen } from './router-screens.ts'
import { RouteFailure } from './screens/errors/RouteFailure.tsx'
import { Shell } from './shell/Shell.tsx'

function routeOf(line: ScreenLine): RouteObject {
  return {
    path: line.path,
    lazy: async () => {
      try {
        const { default: Component, loader } = await loadScreen(line)
        return loader ? { Component, loader } : { Component }
      } catch {
        return { Component: loadable(() => loadScreen(line)) }
      }
    },
  }
}

async function notFound() {
  try {
    return { Component: (await import('./screens/errors/NotFound.tsx')).NotFound }
  } catch {
    return { Component: loadable(async () => ({ default: (await import('./screens/errors/NotFound.tsx')).NotFound })) }
  }
}

/** Only the role's screens; other addresses show 'not found' inside the shell. */
export function routerFor(role: Role) {
  const own = screens.filter((line) => line.for[role] !== undefined)
  return createBrowserRouter(
    [
      {
        Component: Shell,
        ErrorBoundary: RouteFailure,
        HydrateFallback: Shell,
        children: [
          {
            ErrorBoundary: RouteFailure,
            children: [
              ...own.map(routeOf),
              { path: '/login', loader: () => redirect('/') },
              { path: '*', lazy: notFound },
            ],
          },
        ],
      },
    ],
    { basename: basePath || '/' },
  )
}
