import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { pathInConsole } from './api/base.ts'
import { useBranding } from './api/branding.ts'
import { useWaitFor } from './api/ended-session.ts'
import { queryClient } from './api/query.ts'
import { mayBeSignedIn, SessionProvider, sessionQuery } from './api/session.ts'
import { DialogHost } from './components/ui/dialogs/DialogHost.tsx'
import { Failure } from './components/ui/failures/Failure.tsx'
import { loadTexts } from './i18n/language.ts'
import { colourVariables, themeFor } from './theme.ts'
import { late } from './components/ui/loading/late.tsx'
import { signedOutScreen } from './signed-out.ts'

const SignedIn = late(() => import('./SignedIn.tsx'))
const importLogin = () => import('./screens/auth/LoginScreen.tsx')
const importReset = () => import('./screens/auth/ResetPasswordScreen.tsx')
const importLink = () => import('./screens/auth/LinkScreen.tsx')
const LoginScreen = late(() => withTexts(importLogin))
const ResetPasswordScreen = late(() => withTexts(importReset))
const LinkScreen = late(() => withTexts(importLink))
const SignInAgain = late(() => withTexts(() => import('./screens/auth/SignInAgain.tsx')), { floating: true })
/** What the first frame shows, which loads while the session is requested. Rendered before, it would be late: React shows what follows a fallback no sooner than 300 ms after it. */
export const firstPart = (mayBeSignedIn() ? SignedIn : LoginScreen).preload()

const importDesign = async () =>
  (
    await Promise.all([
      import('./design/Design.tsx'),
      loadTexts('voiceCampaigns', 'smsCampaigns', 'smsCompose', 'compose', 'dates', 'goTo'),
    ])
  )[0]
const Design = import.meta.env.MODE === 'development' ? late(importDesign) : null

async function withTexts<Screen>(load: () => Promise<Screen>): Promise<Screen> {
  const [screen] = await Promise.all([load(), loadTexts('auth')])
  return screen
}

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
        <Start />
      </Suspense>
      <DialogHost />
      <Ended />
    </MantineProvider>
  )
}

function Ended() {
  const wait = useWaitFor()
  return <Suspense fallback={null}>{wait && <SignInAgain key={wait.asks} {...wait} />}</Suspense>
}

/** A mailed link works even when somebody else is signed in on this computer. */
function Start() {
  if (Design && window.location.pathname === '/design') return <Design />
  const found = signedOutScreen(pathInConsole())
  if (!found) return <Gate />
  const { screen, token } = found
  if (screen === 'reset-pwd') return <ResetPasswordScreen />
  return <LinkScreen screen={screen} token={token} />
}

/** Signed out, every other address shows the login; signed in, the router has the role's routes. */
function Gate() {
  const session = useQuery(sessionQuery)
  if (session.data?.must) return <LinkScreen session={session.data} />
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
