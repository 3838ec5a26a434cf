import { createTheme, type CSSVariablesResolver, type MantineThemeOverride } from '@mantine/core'
import { brandShades } from './theme-colours.ts'

const font = "'Inter', 'Noto Sans Devanagari', 'Inter Fallback', system-ui, sans-serif"
const combobox = { comboboxProps: { keepMounted: false, shadow: 'md' } }
/** Help stands below its input, like an error. */
const helpBelow = { inputWrapperOrder: ['label', 'input', 'description', 'error'] }

/**
 * Sizes and colours are in styles/tokens.css. Component defaults are plain objects, because `Select.extend()` would add 61 kB to the first
 * bundle.
 */
export function themeFor(primaryColour: string | null): MantineThemeOverride {
  return createTheme({
    fontFamily: font,
    headings: { fontFamily: font, fontWeight: '600' },
    colors: { brand: brandShades(primaryColour) },
    primaryColor: 'brand',
    primaryShade: { light: 6, dark: 7 },
    defaultRadius: 'md',
    cursorType: 'pointer',
    fontSizes: {
      xs: 'var(--ghanti-font-12)',
      sm: 'var(--ghanti-font-14)',
      md: 'var(--ghanti-font-14)',
      lg: 'var(--ghanti-font-16)',
      xl: 'var(--ghanti-font-20)',
    },
    radius: { sm: 'var(--ghanti-radius-small)', md: 'var(--ghanti-radius)' },
    components: {
      InputWrapper: { defaultProps: helpBelow },
      Select: { defaultProps: combobox },
      MultiSelect: { defaultProps: combobox },
      Menu: {
        defaultProps: {
          withInitialFocusPlaceholder: false,
          shadow: 'md',
          preventPositionChangeWhenVisible: false,
          // A fade would repaint everything beneath it at each step.
          transitionProps: { duration: 0 },
        },
      },
      Loader: { defaultProps: { size: 'sm' } },
    },
  })
}

/** What depends on the brand's colour; everything else is in styles/tokens.css. */
export const colourVariables: CSSVariablesResolver = (theme) => ({
  variables: { '--ghanti-action': 'var(--mantine-primary-color-filled)' },
  light: {
    '--ghanti-chosen': theme.colors.brand?.[0] ?? '',
    '--ghanti-chosen-text': theme.colors.brand?.[8] ?? '',
    '--mantine-color-anchor': theme.colors.brand?.[6] ?? '',
  },
  dark: {
    '--ghanti-chosen': `color-mix(in srgb, ${theme.colors.brand?.[7] ?? ''} 40%, var(--ghanti-surface))`,
    '--ghanti-chosen-text': theme.colors.brand?.[1] ?? '',
    '--mantine-color-anchor': theme.colors.brand?.[3] ?? '',
  },
})
