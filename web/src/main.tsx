import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import './styles/mantine.ts'
import './styles/tokens.css'
import './styles/fonts.css'
import './styles/global.css'
import './styles/touch.css'
import { App, firstPart } from './App.tsx'
import { removeFrameOnce, watchLoading } from './code-loading.ts'
import { pathInConsole } from './api/base.ts'
import { brandingQuery } from './api/branding.ts'
import { watchDownloads } from './api/download.ts'
import { queryClient } from './api/query.ts'
import { sessionQuery } from './api/session.ts'
import { showFailure } from './components/ui/dialogs/dialogs.ts'
import { startCalendar } from './i18n/chosen-calendar.ts'
import { chosenLanguage, startLanguage } from './i18n/language.ts'
import { signedOutScreen } from './signed-out.ts'

// Compiled checks need eval, which the content security policy forbids.
z.config({ jitless: true })

watchLoading()
watchDownloads(showFailure)

// `await` out here would switch off what the bundler does to have fewer files (web/vite.config.ts).
async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const language = chosenLanguage()
  await Promise.all([startLanguage(language), startCalendar(language), firstPart])
  removeFrameOnce(root)
  createRoot(root).render(<App />)
}

// The page of a mailed link belongs to nobody, whoever is signed in.
if (!signedOutScreen(pathInConsole())) void queryClient.prefetchQuery(sessionQuery)
void queryClient.prefetchQuery(brandingQuery)
void start()
