import * as fs from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string): string => fs.readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')
const passedOn = (file: string): string[] =>
  [...read(file).matchAll(/^ +([A-Z_]+): /gm)].flatMap(([, name]) => name ?? [])
const demanded = (file: string): string[] =>
  [...read(file).matchAll(/\$\{([A-Z_]+):\?/g)].flatMap(([, name]) => name ?? [])

test('compose.yaml passes on every setting of the server that operating.md tells of, but those of the embedded mode', () => {
  const rows = read('docs/operating.md').match(/^\| `[A-Z_]+`.*$/gm) ?? []
  const told = rows
    .filter((row) => !row.includes('embedded mode only') && !row.startsWith('| `api`'))
    .flatMap((row) => row.split('|')[1]?.match(/[A-Z_]+/g) ?? [])
    .filter((name) => name !== 'DATA_FOLDER') // the image's own
  expect(told).toContain('RECORDING_DAYS')
  expect(passedOn('compose.yaml')).toEqual(expect.arrayContaining(told))
})

test('compose.dialer.yaml passes on every setting of the dialer, and demands its password alone', () => {
  const comment = read('telephony/asterisk-container.sh').match(/^# {3}[A-Z_]+(, [A-Z_]+)*(?= )/gm) ?? []
  const told = comment.flatMap((line) => line.match(/[A-Z_]+/g) ?? [])
  expect(told).toEqual(expect.arrayContaining(['ARI_USER', 'HTTP_PORT', 'ARI_TLS_KEY']))
  expect(passedOn('compose.dialer.yaml')).toEqual(expect.arrayContaining(told))
  expect(demanded('compose.dialer.yaml')).toEqual(['ARI_PASSWORD'])
})
