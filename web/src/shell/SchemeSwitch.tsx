import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { startTransition, useState } from 'react'
import { basePath } from '../api/base.ts'
import { afterPaint } from '../components/table/rows/use-after-paint.ts'
import { Icon } from '../components/ui/icons/Icon.tsx'
import { useTexts } from '../i18n/language.ts'

/** Follows the system until somebody chooses. */
export function SchemeSwitch() {
  const { shell } = useTexts('common')
  // Without its style sheet that forbids transitions for 10 ms: adding and removing that restyles the whole page twice.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<'light' | 'dark' | null>(null)
  const dark = (chosen ?? shown) === 'dark'
  const choose = (scheme: 'light' | 'dark') => {
    rememberScheme(scheme)
    // The button responds at once. The colours change after that frame, because every element of the page is restyled.
    setChosen(scheme)
    afterPaint(() =>
      startTransition(() => {
        setColorScheme(scheme)
        setChosen(null)
      }),
    )
  }
  return (
    <ActionIcon
      variant="default"
      size={34}
      aria-label={dark ? shell.useLight : shell.useDark}
      onClick={() => choose(dark ? 'light' : 'dark')}
    >
      <Icon name={dark ? 'sun' : 'moon'} />
    </ActionIcon>
  )
}

/** Tells the server, so that its page has the right colours before any script runs. */
function rememberScheme(scheme: 'light' | 'dark'): void {
  document.cookie = `scheme=${scheme}; path=${basePath || '/'}; max-age=31536000; samesite=lax`
}
