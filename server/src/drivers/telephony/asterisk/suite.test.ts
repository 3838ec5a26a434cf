import { telephonySuite } from '../suite.ts'
import { asteriskDriver } from './asterisk.ts'
import { SoundFolder } from '../sound-folder.ts'
import { asteriskDialer, operatorTrunk } from './testing.ts'

telephonySuite('Asterisk', async () => {
  const sounds = new SoundFolder()
  return {
    driver: asteriskDriver(),
    dialer: asteriskDialer(sounds.shared),
    trunk: operatorTrunk('operator'),
    media: [await sounds.tone(600), await sounds.tone(900)],
    async close() {
      sounds.remove()
    },
  }
})
