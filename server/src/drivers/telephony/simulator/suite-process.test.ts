import { telephonySuite } from '../suite.ts'
import { createSimulatorClient } from './client.ts'
import { simulatedTrunk, sound, startSimulatorProcess, temporaryFolder } from './testing.ts'

telephonySuite('simulator as a process of its own', async () => {
  const folder = temporaryFolder()
  const simulator = await startSimulatorProcess({ speed: 10, folder: folder.path })
  return {
    driver: createSimulatorClient(),
    dialer: simulator.dialer,
    trunk: simulatedTrunk,
    media: [sound('one', 600), sound('other', 900)],
    async close() {
      await simulator.kill()
      folder.remove()
    },
  }
})
