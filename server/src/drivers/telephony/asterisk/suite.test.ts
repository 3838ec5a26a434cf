import { telephonySuite } from '../suite.ts'
import { asteriskDriver } from './asterisk.ts'
import { SoundFolder } from '../sound-folder.ts'
import { asteriskDialer, operatorTrunk, startTersePeer } from './testing.ts'

telephonySuite('Asterisk', async () => {
  const sounds = new SoundFolder()
  const mute = await startTersePeer([])
  const full = await startTersePeer([{ afterMs: 0, status: '503 Service Unavailable' }])
  const { host, port } = operatorTrunk('operator')
  return {
    driver: asteriskDriver(),
    dialer: asteriskDialer(sounds.shared),
    trunk: operatorTrunk('operator'),
    silent: mute.trunk('silent'),
    twoHosts: full.trunk('two hosts', { hosts: [`${host}:${port}`] }),
    media: [await sounds.tone(600), await sounds.tone(900)],
    async close() {
      mute.close()
      full.close()
      sounds.remove()
    },
  }
})
