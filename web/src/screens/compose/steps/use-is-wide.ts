import { useMediaQuery } from '@mantine/hooks'

/** Whether the telephone has room beside the form. Compose.module.css has the same width. */
export function useIsWide(): boolean {
  return useMediaQuery('(min-width: 1101px)', undefined, { getInitialValueInEffect: false })
}
