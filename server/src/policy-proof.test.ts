import type { Route } from '@ghanti/contract/route.ts'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { expect, test } from 'vitest'
import { csvOfLists } from './csv/lists.ts'
import { personalReads } from './personal-reads.ts'
import { needsProof } from './policy-proof.ts'

/** What is about one call, and lists of campaigns and agents that name nobody who was called. */
const needNone: ReadonlySet<RouteKey> = new Set([
  'recordings.listen',
  'traces.download',
  'voiceCampaigns.exportCsv',
  'smsCampaigns.exportCsv',
  'insight.callsCsv',
])

function isFile(key: RouteKey): boolean {
  const [area = '', name = ''] = key.split('.')
  const { kind } = (routes as Readonly<Record<string, Readonly<Record<string, Route>>>>)[area]?.[name] ?? {}
  return kind === 'file' || 'columns' in (ownValue(csvOfLists as Readonly<Record<string, object>>, key) ?? {})
}

test('whatever gives away the called people’s data as a file asks for a fresh proof', () => {
  const files = (Object.keys(personalReads) as RouteKey[]).filter(isFile)
  expect(files.length).toBeGreaterThan(12)
  expect(files.filter((key) => !needNone.has(key) && !needsProof(key, true))).toEqual([])
})

test('so does what moves money or opens a line besides', () => {
  const besides = ['users.delete', 'smsGateways.enable'] as const
  expect(besides.filter((key) => !needsProof(key, false))).toEqual([])
})
