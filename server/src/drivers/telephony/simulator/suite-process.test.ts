import { SoundFolder } from '../sound-folder.ts'
import { telephonySuite } from '../suite.ts'
import { createSimulatorClient } from './client.ts'
import { simulatedTrunk, startSimulatorProcess, temporaryFolder } from './testing.ts'

telephonySuite('simulator as a process of its own', async () => {
  const folder = temporaryFolder()
  const sounds = new SoundFolder()
  const simulator = await startSimulatorProcess({ speed: 10, folder: folder.path })
  return {
    driver: createSimulatorClient(),
    dialer: simulator.dialer,
    trunk: simulatedTrunk,
    media: [await sounds.tone(600), await sounds.tone(900)],
    async close() {
      await simulator.kill()
      folder.remove()
      sounds.remove()
    },
  }
})
