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
      xs: 'var(--font-12)',
      sm: 'var(--font-14)',
      md: 'var(--font-14)',
      lg: 'var(--font-16)',
      xl: 'var(--font-20)',
    },
    lineHeights: { md: '1.43' },
    radius: { sm: 'var(--radius)', md: 'var(--radius)', lg: 'var(--radius-card)' },
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

type BrandColours = { action: string; anchor: string; chosen: string; chosenText: string }

/** Marks and frames, links, the ground of what is chosen and its text; out of the shades of the brand's colour, the lightest first. */
export function brandColours(shades: readonly string[]): Record<'light' | 'dark', BrandColours> {
  const shade = (index: number) => shades[index] ?? ''
  return {
    light: { action: shade(6), anchor: shade(7), chosen: shade(0), chosenText: shade(8) },
    dark: {
      action: shade(4),
      anchor: shade(3),
      chosen: `color-mix(in srgb, ${shade(7)} 40%, var(--surface))`,
      chosenText: shade(1),
    },
  }
}

const variablesOf = ({ action, anchor, chosen, chosenText }: BrandColours) => ({
  '--action': action,
  '--chosen': chosen,
  '--chosen-text': chosenText,
  '--mantine-color-anchor': anchor,
})

/** What depends on the brand's colour; everything else is in styles/tokens.css. */
export const colourVariables: CSSVariablesResolver = (theme) => {
  const { light, dark } = brandColours(theme.colors.brand ?? [])
  return { variables: {}, light: variablesOf(light), dark: variablesOf(dark) }
}
