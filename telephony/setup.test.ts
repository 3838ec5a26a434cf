/** asterisk-setup.sh brings up both networks, or neither. */
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { startLocalAsterisk, stopLocalAsterisk } from '@ghanti/server/demo/local-asterisk.ts'
import { expect, onTestFinished, test } from 'vitest'

test('when the operator cannot be started, the dialer that was started before it ends too', async () => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-setup-'))
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    fs.rmSync(home, { recursive: true, force: true })
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const said: string[] = []
  const settings = { OPERATOR_SIP_PORT: String(port) }
  const starting = startLocalAsterisk({
    home,
    freePorts: true,
    parent: process.pid,
    settings,
    say: (line) => said.push(line),
  })
  await expect(starting).rejects.toThrow(`port ${port} is taken: set OPERATOR_SIP_PORT`)
  expect(said.some((line) => line.includes('dialer runs'))).toBe(true)
  const left: string[] = []
  await stopLocalAsterisk(home, (line) => left.push(line))
  expect(left).toEqual(['dialer: not running', 'operator: not running'])
})
