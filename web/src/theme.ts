import { createTheme, type CSSVariablesResolver, type MantineThemeOverride } from '@mantine/core'
import { brandShades } from './theme-colours.ts'

const font = "'Inter', 'Noto Sans Devanagari', 'Inter Fallback', system-ui, sans-serif"
const combobox = { comboboxProps: { keepMounted: false, shadow: 'md' } }

/** Calm, dense, aligned. Component defaults as plain objects: `Select.extend()` would pull 61 kB into the first bundle. */
export function themeFor(primaryColour: string | null): MantineThemeOverride {
  return createTheme({
    fontFamily: font,
    headings: { fontFamily: font, fontWeight: '650' },
    colors: { brand: brandShades(primaryColour) },
    primaryColor: 'brand',
    primaryShade: { light: 6, dark: 7 },
    defaultRadius: 'md',
    cursorType: 'pointer',
    fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem' },
    components: {
      Select: { defaultProps: combobox },
      MultiSelect: { defaultProps: combobox },
      Menu: { defaultProps: { withInitialFocusPlaceholder: false, shadow: 'md' } },
      Loader: { defaultProps: { size: 'sm' } },
    },
  })
}

/** What Mantine's defaults get too pale, and the console's own surfaces. */
export const colourVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--ghanti-page': '#f5f6f8',
    '--ghanti-surface': '#ffffff',
    '--ghanti-line': '#dde1e6',
    '--ghanti-hover': '#f3f6f9',
    '--ghanti-chosen': theme.colors.brand?.[1] ?? '',
    '--ghanti-chosen-text': theme.colors.brand?.[8] ?? '',
    '--mantine-color-text': '#16191d',
    '--mantine-color-dimmed': '#59626d',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': theme.colors.red[9],
    '--ghanti-gain': theme.colors.teal[9],
    '--mantine-color-anchor': theme.colors.brand?.[6] ?? '',
  },
  dark: {
    '--ghanti-page': '#16181b',
    '--ghanti-surface': '#202327',
    '--ghanti-line': '#363b42',
    '--ghanti-hover': '#282c31',
    '--ghanti-chosen': `color-mix(in srgb, ${theme.colors.brand?.[7] ?? ''} 40%, #202327)`,
    '--ghanti-chosen-text': theme.colors.brand?.[1] ?? '',
    '--mantine-color-text': '#d7dbe0',
    '--mantine-color-dimmed': '#9aa3ad',
    '--mantine-color-placeholder': '#939ca6',
    '--mantine-color-error': theme.colors.red[4],
    '--ghanti-gain': theme.colors.teal[4],
    '--mantine-color-anchor': theme.colors.brand?.[3] ?? '',
  },
})
