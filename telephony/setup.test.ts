// @module-tag exhaustive
/** asterisk-setup.sh brings up both networks, or neither. */
import * as fs from 'node:fs'
import * as http from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { startLocalAsterisk, stopLocalAsterisk } from '@ghanti/server/demo/local-asterisk.ts'
import { asteriskDriver } from '../server/src/drivers/telephony/asterisk/asterisk.ts'
import { SoundFolder } from '../server/src/drivers/telephony/sound-folder.ts'
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

/** A folder below `top` whose path has that many characters. */
const deepFolder = (top: string, length: number): string =>
  path.join(top, 'a-folder/'.repeat(Math.ceil(length / 9))).slice(0, length - 1) + 'z'

test('below a very deep folder both run, and sounds are played from a folder beside them and over HTTP', async () => {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-deep-'))
  const deep = deepFolder(top, 185)
  const sounds = new SoundFolder()
  const one = await sounds.tone(600)
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/wav' })
    response.end(fs.readFileSync(one.path))
  })
  server.listen(0, '127.0.0.1')
  const asterisk = await startLocalAsterisk({
    home: path.join(deep, '.ghanti/asterisk'),
    freePorts: true,
    parent: process.pid,
    say: () => undefined,
  })
  onTestFinished(async () => {
    await asterisk.stop()
    server.close()
    sounds.remove()
    for (const one of ['dialer', 'operator']) {
      const folder = fs.readFileSync(path.join(deep, '.ghanti/asterisk', one, 'run-folder'), 'utf8').trim()
      fs.rmSync(folder, { recursive: true, force: true })
    }
    fs.rmSync(top, { recursive: true, force: true })
  })
  const { port } = server.address() as AddressInfo
  const places = [
    { folder: path.join(deep, '.ghanti/media') },
    { addressOf: (hash: string) => `http://127.0.0.1:${port}/media/${hash}.wav?signature=1` },
  ]
  for (const media of places) {
    const connection = await asteriskDriver().connect({ ...asterisk.dialer, certificate: null, media })
    expect(await connection.prefetch([one])).toEqual({ failed: [] })
    await connection.close()
  }
})

test('a folder too deep for Asterisk is refused with a sentence that says so', async () => {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-too-deep-'))
  onTestFinished(() => fs.rmSync(top, { recursive: true, force: true }))
  const home = path.join(deepFolder(top, 200), '.ghanti/asterisk')
  const starting = startLocalAsterisk({ home, freePorts: true, parent: process.pid, say: () => undefined })
  await expect(starting).rejects.toThrow('is longer than 220 characters')
})
