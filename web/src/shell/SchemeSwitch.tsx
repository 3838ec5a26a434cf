import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { startTransition } from 'react'
import { basePath } from '../api/base.ts'
import { useTexts } from '../i18n/language.ts'

/** Follows the system until somebody chooses. */
export function SchemeSwitch() {
  const { shell } = useTexts('common')
  // Without its style sheet that forbids transitions for 10 ms: adding and removing that restyles the whole page twice.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const choose = (scheme: 'light' | 'dark') => {
    rememberScheme(scheme)
    // The attribute that the colours depend on changes at once; components are rendered again without holding up the next frame.
    startTransition(() => setColorScheme(scheme))
  }
  return (
    <ActionIcon
      variant="default"
      size={34}
      aria-label={dark ? shell.useLight : shell.useDark}
      onClick={() => choose(dark ? 'light' : 'dark')}
    >
      {dark ? <IconSun size={18} stroke={1.6} /> : <IconMoon size={18} stroke={1.6} />}
    </ActionIcon>
  )
}

/** For the server, whose page has its first colours before any script runs. */
function rememberScheme(scheme: 'light' | 'dark'): void {
  document.cookie = `scheme=${scheme}; path=${basePath || '/'}; max-age=31536000; samesite=lax`
}
