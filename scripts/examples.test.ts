/** The examples of the console's Reference, run with names that hold what quotes and shells read in their own way. */
import { curl } from '@ghanti/contract/examples/curl.ts'
import { bodyOf, columnsOf, sampleOf, type ExampleOf } from '@ghanti/contract/examples/example.ts'
import { php } from '@ghanti/contract/examples/php.ts'
import { python } from '@ghanti/contract/examples/python.ts'
import { typescript } from '@ghanti/contract/examples/typescript.ts'
import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'

const hostile = `"A'b\\c $HOME \`id\` {x} रु !%`
const of: ExampleOf = {
  address: 'https://sms.example.com',
  to: '9841000001',
  from: `O'Bank"$1`,
  template: { id: 12, values: { [hostile]: hostile, code: '471108' } },
  text: hostile,
  reference: 'order-4711',
  messageId: '1204-17',
}
const both = [of, { ...of, template: null }]
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0
const run = (program: string, args: readonly string[]): unknown =>
  JSON.parse(execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, GHANTI_KEY: 'k' } }))

describe.each(both)('the example of sending', (one) => {
  test('gives curl the message as it is', () => {
    const said = execFileSync('bash', ['-c', `curl() { printf '%s\\0' "$@"; }\n${curl.send(one)}`], {
      encoding: 'utf8',
    })
    const words = said.split('\0')
    expect(words).toContain('https://sms.example.com/api/v1/messages')
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(bodyOf(one))
  })

  test('gives TypeScript the message as it is', () => {
    const fetched = 'const fetch = async (url, { body }) => { console.log(body); process.exit() }'
    const code = [fetched, typescript.install(one), typescript.send(one)].join('\n')
    expect(run(process.execPath, ['--input-type=module-typescript', '-e', code])).toEqual(bodyOf(one))
  })

  test.skipIf(!has('python3'))('gives Python the message as it is', () => {
    const client = [
      'import sys, types, json',
      'module = types.ModuleType("ghanti")',
      'class Ghanti:',
      '    def __init__(self, address, key): pass',
      '    def send(self, message, idempotency_key): print(json.dumps(message)); sys.exit()',
      'module.Ghanti = Ghanti',
      'sys.modules["ghanti"] = module',
    ].join('\n')
    expect(run('python3', ['-c', `${client}\n${python.send(one)}`])).toEqual(bodyOf(one))
  })

  test.skipIf(!has('php'))('gives PHP the message as it is', () => {
    const client = `class Ghanti { function __construct($a, $k) {} function send($m, $idempotencyKey) { echo json_encode($m); exit; } }`
    const code = php.send(one).replace('<?php', '').replace("require 'ghanti.php';", client)
    expect(run('php', ['-r', code])).toEqual(bodyOf(one))
  })
})

test.skipIf(!has('python3'))('every Python example is a program', () => {
  for (const part of Object.values(python).slice(1))
    execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', part(of)])
})

test('a sample is given for each column but the number itself', () => {
  const columns = columnsOf('{Name}, Rs {amount} on {date}: {code} {code} {mobile} {other}')
  expect(columns).toEqual(['Name', 'amount', 'date', 'code', 'other'])
  expect(columns.map(sampleOf)).toEqual(['Sita', '1,250.00', '2026-12-01', '471108', '4711'])
})
