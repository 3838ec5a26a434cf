import { telephonySuite } from '../suite.ts'
import { createSimulator } from './simulator.ts'
import { simulatedDialer, simulatedTrunk, sound, temporaryFolder } from './testing.ts'

telephonySuite('simulator in the process', async () => {
  const folder = temporaryFolder()
  const driver = createSimulator({ speed: 10, recordFolder: folder.path })
  return {
    driver,
    dialer: simulatedDialer(),
    trunk: simulatedTrunk,
    media: [sound('one', 600), sound('other', 900)],
    async close() {
      driver.close()
      folder.remove()
    },
  }
})
