import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useBranding } from './api/branding.ts'
import { queryClient } from './api/query.ts'
import { mayBeSignedIn, SessionProvider, sessionQuery } from './api/session.ts'
import { DialogHost } from './components/ui/DialogHost.tsx'
import { Failure } from './components/ui/Failure.tsx'
import { loadTexts } from './i18n/language.ts'
import { colourVariables, themeFor } from './theme.ts'

const importSignedIn = () => import('./SignedIn.tsx')
// Their code can come while the session is asked for.
if (mayBeSignedIn()) void importSignedIn().catch(() => undefined)

const SignedIn = lazy(importSignedIn)
const LoginScreen = lazy(async () => {
  const [screen] = await Promise.all([import('./screens/auth/LoginScreen.tsx'), loadTexts('login')])
  return screen
})

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Branded />
    </QueryClientProvider>
  )
}

const themes = new Map<string | null, ReturnType<typeof themeFor>>()
function themeOf(primaryColour: string | null) {
  const theme = themes.get(primaryColour) ?? themeFor(primaryColour)
  themes.set(primaryColour, theme)
  return theme
}

function Branded() {
  const { primaryColour } = useBranding()
  return (
    <MantineProvider theme={themeOf(primaryColour)} cssVariablesResolver={colourVariables} defaultColorScheme="auto">
      <Suspense fallback={null}>
        <Gate />
      </Suspense>
      <DialogHost />
    </MantineProvider>
  )
}

/** Signed out, every address shows the login; signed in, the router takes over, with the routes of the role. */
function Gate() {
  const session = useQuery(sessionQuery)
  if (session.data) {
    return (
      <SessionProvider value={session.data}>
        <SignedIn key={session.data.userId} />
      </SessionProvider>
    )
  }
  if (session.isError) return <Failure error={session.error} onRetry={() => void session.refetch()} />
  return session.isPending ? null : <LoginScreen />
}
