/** The least that makes these calls over ARI: originate, play, hang up. It knows no limit of time, no lost request, and keeps nothing. */
import * as http from 'node:http'
import { callOn, type Load } from './telephony-load.ts'

const app = 'bare'
/** As the product has them. */
const sockets = 4
const inSetUpMax = 8

type Dialer = { host: string; port: number; user: string; secret: string }
type Event = { type: string; channel?: { id: string }; playback?: { target_uri: string } }

export async function callByAri(load: Load, of: { dialer: Dialer; trunk: string }): Promise<void> {
  const { host, port, user, secret } = of.dialer
  const agent = new http.Agent({ keepAlive: true, maxSockets: sockets })
  const settingUp = new Set<string>()
  const up = new Set<string>()
  const ask = (method: string, path: string, query: Record<string, string> = {}, failed = (): void => {}): void => {
    const target = { agent, host, port, method, path: `/ari${path}?${new URLSearchParams(query)}` }
    const request = http.request(
      { ...target, auth: `${user}:${secret}`, headers: { 'content-length': 0 } },
      (reply) => {
        if ((reply.statusCode ?? 0) >= 300) failed()
        reply.resume()
      },
    )
    request.on('error', failed).end()
  }
  const hangUp = (channel: string): void => ask('DELETE', `/channels/${channel}`)
  const take = ({ type, channel, playback }: Event): void => {
    const id = channel?.id ?? ''
    if (type === 'StasisStart') {
      settingUp.delete(id)
      up.add(id)
      if (load.prompt === null) hangUp(id)
      else ask('POST', `/channels/${id}/play`, { media: `sound:${load.prompt.replace(/\.wav$/, '')}` })
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
  const begin = (number: string): void => {
    const channelId = `${app}-${Date.now()}-${number}`
    settingUp.add(channelId)
    const query = { endpoint: `PJSIP/${number}@${of.trunk}`, app, channelId }
    ask('POST', '/channels', query, () => settingUp.delete(channelId))
  }
  const standing = () => ({ inSetUp: settingUp.size, inProgress: settingUp.size + up.size })
  await callOn(load, { inSetUpMax, standing, begin })
  socket.close()
  agent.destroy()
}
