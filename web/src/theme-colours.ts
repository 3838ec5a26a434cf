import type { MantineColorsTuple } from '@mantine/core'

type Rgb = readonly [number, number, number]

function rgbOf(hex: string): Rgb | null {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex)
  if (!match) return null
  const [, red = '', green = '', blue = ''] = match
  return [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)]
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share]
}

function linear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex) ?? [0, 0, 0]
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** The WCAG contrast of two colours, '#rrggbb' each. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

export const contrastWithWhite = (hex: string): number => contrast(hex, '#ffffff')

const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
export const ownColour = '#0b66a3'

/** Shade 6 is the colour itself, darkened until white text on it is legible (4.5:1); an invalid colour gives our own blue. */
export function brandShades(hex: string | null): MantineColorsTuple {
  let base = (hex && rgbOf(hex)) || rgbOf(ownColour) || black
  while (contrastWithWhite(hexOf(base)) < 4.6) base = mixed(base, black, 0.06)
  const tint = (share: number) => hexOf(mixed(base, white, share))
  const shade = (share: number) => hexOf(mixed(base, black, share))
  return [
    tint(0.93),
    tint(0.84),
    tint(0.7),
    tint(0.56),
    tint(0.42),
    tint(0.2),
    hexOf(base),
    shade(0.1),
    shade(0.24),
    shade(0.4),
  ]
}
