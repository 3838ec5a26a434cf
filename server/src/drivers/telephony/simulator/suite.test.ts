import { SoundFolder } from '../sound-folder.ts'
import { telephonySuite } from '../suite.ts'
import { createSimulator } from './simulator.ts'
import { simulatedDialer, simulatedTrunk, temporaryFolder } from './testing.ts'

telephonySuite('simulator in the process', async () => {
  const folder = temporaryFolder()
  const sounds = new SoundFolder()
  const driver = createSimulator({ speed: 10, recordFolder: folder.path })
  return {
    driver,
    dialer: simulatedDialer(),
    trunk: simulatedTrunk,
    media: [await sounds.tone(600), await sounds.tone(900)],
    async close() {
      driver.close()
      folder.remove()
      sounds.remove()
    },
  }
})
