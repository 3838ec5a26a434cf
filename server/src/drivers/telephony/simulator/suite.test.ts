import { SoundFolder } from '../sound-folder.ts'
import { telephonySuite } from '../suite.ts'
import { createSimulator } from './simulator.ts'
import { breakTrunks, silentTrunk, simulatedDialer, simulatedTrunk, temporaryFolder, twoHostsTrunk } from './testing.ts'

telephonySuite('simulator in the process', async () => {
  const folder = temporaryFolder()
  const sounds = new SoundFolder()
  const driver = createSimulator({ speed: 5, recordFolder: folder.path })
  const dialer = simulatedDialer()
  await breakTrunks(driver.control(dialer))
  return {
    driver,
    dialer,
    trunk: simulatedTrunk,
    silent: silentTrunk,
    twoHosts: twoHostsTrunk,
    media: [await sounds.tone(600), await sounds.tone(900)],
    async close() {
      driver.close()
      folder.remove()
      sounds.remove()
    },
  }
})
