import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { AriHttp } from '../ari/http.ts'
import { SipLog } from './sip-log.ts'

const invite =
  'INVITE sip:1@10.0.0.2 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.1:5160\r\nCall-ID: one\r\nCSeq: 1 INVITE\r\n\r\n'
const line = `[2026-11-26 11:24:41.655+0545] VERBOSE[1] res_pjsip_logger.c: <--- Transmitting SIP request (${invite.length} bytes) to UDP:10.0.0.2:5060 --->\n`

/** A dialer whose log has the call's INVITE and no reply to it. */
async function logWithoutReply() {
  let readings = 0
  const server = createServer((request, response) => {
    const isFile = request.method === 'GET' && request.url?.endsWith('/file') === true
    if (isFile) readings += 1
    response.end(isFile ? `${line}${invite}\n` : '[]')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const dialer = { host: '127.0.0.1', port, user: 'user', secret: 'secret', certificate: null, media: { folder: '/' } }
  const http = new AriHttp(dialer)
  onTestFinished(() => {
    http.cut()
    server.close()
  })
  const log = new SipLog('test', http)
  await log.open(true)
  return { log, readings: () => readings }
}

test('only of a 503, which may be the dialer’s own, the log is read once more', async () => {
  const { log, readings } = await logWithoutReply()
  expect(await log.replyTo('one', 486)).toBeNull()
  expect(readings()).toBe(1)
  expect(await log.replyTo('one', 503)).toBe('none')
  expect(readings()).toBe(3)
})
