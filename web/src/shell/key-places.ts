import { ownValue } from '@ghanti/contract/own-values.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { MenuLabel } from '../i18n/en/common.ts'
import { screens } from '../paths.ts'

/** After g: where each letter leads. */
const places = {
  d: '/',
  c: '/voice-campaign-summary',
  r: '/report',
  f: '/contact-files',
  v: '/voice-files',
  u: '/user-list',
  p: '/voice-plans',
  b: '/voice-blacklist',
  h: '/credits-history',
  m: '/credits-statement',
  i: '/cli-list',
  e: '/dialer-list',
  t: '/trunk-list',
  a: '/alerts',
  l: '/audit-log',
} as const

const additions: Readonly<Record<string, string>> = {
  '/voice-campaign-summary': '/add-voice-campaign',
  '/voice-files': '/add-voice-files',
  '/user-list': '/create-user',
  '/voice-plans': '/add-voice-plan',
  '/voice-blacklist': '/add-voice-blacklist',
  '/cli-list': '/add-cli',
  '/dialer-list': '/create-dialer',
  '/trunk-list': '/create-trunk',
}

/** The letters after g that work for a role, with the menu's labels. */
export function placesOf(role: Role): { letter: string; path: string; label: MenuLabel }[] {
  return Object.entries(places).flatMap(([letter, path]) => {
    const label = screens.find((line) => line.path === path)?.for[role]
    return label ? [{ letter, path, label }] : []
  })
}

/** Where n leads from a list; null when nowhere, or not for this role. */
export function additionOf(role: Role, path: string): string | null {
  const to = ownValue(additions, path)
  const line = screens.find((line) => line.path === to)
  return to !== undefined && line?.for[role] !== undefined ? to : null
}
