/**
 * The minimum to make these calls over ARI: originate, play, hang up, without time limits or stored state. The careful variant asks of
 * Asterisk what the product needs: time limits from the start and from the answer, a caller ID, and a dialplan that keeps answered calls
 * while no client is connected. The difference between the two is the price of that; the rest is the engine's.
 */
import * as http from 'node:http'
import { eventTypes } from '@ghanti/server/drivers/telephony/asterisk/ari/messages.ts'
import { callOn, type Load } from './load.ts'

/** As many as the product uses. */
const sockets = 4
const inSetUpMax = 8

type Dialer = { host: string; port: number; user: string; secret: string }
type Event = { type: string; channel?: { id: string }; playback?: { target_uri: string } }

/** As the driver sets them (dialling.ts). */
const answered = { context: 'ghanti-answered', extension: 's', priority: '1', timeout: '45' }
const limits = {
  'TIMEOUT(absolute)': '60.000',
  'CONNECTEDLINE(num,i)': '015970001',
  'CONNECTEDLINE(num-pres,i)': 'allowed',
  GHANTI_TALK: '10.000',
}

type Request = { query?: Record<string, string>; body?: unknown; failed?: () => void }

export async function callByAri(load: Load, of: { dialer: Dialer; trunk: string; careful: boolean }): Promise<void> {
  const { host, port, user, secret } = of.dialer
  const app = of.careful ? 'careful' : 'bare'
  const agent = new http.Agent({ keepAlive: true, maxSockets: sockets })
  const settingUp = new Set<string>()
  const up = new Set<string>()
  const ask = (method: string, path: string, { query, body, failed = () => {} }: Request = {}): void => {
    const target = { agent, host, port, method, path: `/ari${path}?${new URLSearchParams(query)}` }
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = { 'content-length': text.length, ...(text ? { 'content-type': 'application/json' } : {}) }
    const request = http.request({ ...target, auth: `${user}:${secret}`, headers }, (reply) => {
      if ((reply.statusCode ?? 0) >= 300) failed()
      reply.resume()
    })
    request.on('error', failed).end(text)
  }
  const hangUp = (channel: string): void => ask('DELETE', `/channels/${channel}`)
  const take = ({ type, channel, playback }: Event): void => {
    const id = channel?.id ?? ''
    if (type === 'StasisStart') {
      settingUp.delete(id)
      up.add(id)
      if (load.prompt === null) hangUp(id)
      else ask('POST', `/channels/${id}/play`, { query: { media: `sound:${load.prompt.replace(/\.wav$/, '')}` } })
    } else if (type === 'PlaybackFinished') hangUp(playback?.target_uri.replace('channel:', '') ?? '')
    else if (type === 'ChannelDestroyed') {
      settingUp.delete(id)
      up.delete(id)
    }
  }
  const socket = new WebSocket(`ws://${host}:${port}/ari/events?app=${app}&api_key=${user}:${secret}`)
  socket.addEventListener('message', ({ data }) => take(JSON.parse(String(data))))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  if (of.careful) {
    ask('PUT', `/applications/${app}/eventFilter`, { body: { allowed: eventTypes.map((type) => ({ type })) } })
    ask('POST', `/applications/${app}/subscription`, { query: { eventSource: 'channel:' } })
  }
  const begin = (number: string): void => {
    const channelId = `${app}-${Date.now()}-${number}`
    settingUp.add(channelId)
    const query = { endpoint: `PJSIP/${number}@${of.trunk}`, channelId, ...(of.careful ? answered : { app }) }
    const body = of.careful ? { variables: { ...limits, GHANTI_APP: app } } : undefined
    ask('POST', '/channels', { query, body, failed: () => settingUp.delete(channelId) })
  }
  const standing = () => ({ inSetUp: settingUp.size, inProgress: settingUp.size + up.size })
  await callOn(load, { inSetUpMax, standing, begin })
  socket.close()
  agent.destroy()
}
