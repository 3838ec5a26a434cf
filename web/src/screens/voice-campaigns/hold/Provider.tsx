import { Button } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { useSession } from '../../../api/session.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'

/** 'Ask Sagarmatha Voice (98510 12345).' Empty for super admins, above whom there is nobody. */
export function useProvider(): { now: string; ifLong: string } {
  const { holds: t } = useTexts('campaignActions')
  const format = useFormat()
  const { provider } = useSession()
  if (!provider) return { now: '', ifLong: '' }
  const whom = provider.number === '' ? provider.company : t.withNumber(provider.company, format.phone(provider.number))
  return { now: t.ask(whom), ifLong: t.askIfLong(whom) }
}

/** Calls the provider's telephone. Nothing without one. */
export function AskProvider({ about }: { about: string }) {
  const { holds: t } = useTexts('campaignActions')
  const { provider } = useSession()
  if (!provider || provider.number === '') return null
  return (
    <Button
      component="a"
      size="compact-sm"
      variant="default"
      href={`tel:${provider.number.replaceAll(/[^\d+]/g, '')}`}
      leftSection={<IconPhone size={14} stroke={1.7} aria-hidden />}
      aria-label={`${t.call(provider.company)}: ${about}`}
    >
      {t.call(provider.company)}
    </Button>
  )
}
