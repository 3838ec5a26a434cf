import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import axe from 'axe-core'
import type { ReactNode } from 'react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect } from 'vitest'
import { render } from 'vitest-browser-react'
import { queryClient } from '../api/query.ts'
import { DialogHost } from '../components/ui/dialogs/DialogHost.tsx'
import { loadTexts } from '../i18n/language.ts'
import Toasts from '../components/ui/toasts/Toasts.tsx'
import '../styles/mantine.ts'
import '../styles/tokens.css'
import '../styles/global.css'
import { colourVariables, themeFor } from '../theme.ts'

const theme = themeFor(null)

export async function renderApp(content: ReactNode, address = '/') {
  await loadTexts('goTo')
  const router = createMemoryRouter([{ path: '*', element: <main tabIndex={-1}>{content}</main> }], {
    initialEntries: [address],
  })
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <MantineProvider theme={theme} cssVariablesResolver={colourVariables} defaultColorScheme="light">
        <RouterProvider router={router} />
        <DialogHost />
        <Toasts />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return { ...screen, address: () => router.state.location.search }
}

/** Asserts WCAG A and AA, of what is not dimmed because it is about to change. */
export async function expectAccessible(): Promise<void> {
  await expect.poll(() => document.querySelector('[data-late]')).toBeNull()
  const { violations } = await axe.run(document.body, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
    resultTypes: ['violations'],
    preload: { assets: ['media'] },
  })
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}
