// @module-tag exhaustive
// suite.test.ts has the same in the process, and the engine tests that kill dialers use such processes.
import { SoundFolder } from '../sound-folder.ts'
import { telephonySuite } from '../suite.ts'
import { connectControl, createSimulatorClient } from './client.ts'
import {
  breakTrunks,
  silentTrunk,
  simulatedTrunk,
  startSimulatorProcess,
  temporaryFolder,
  twoHostsTrunk,
} from './testing.ts'

telephonySuite('simulator as a process of its own', async () => {
  const folder = temporaryFolder()
  const sounds = new SoundFolder()
  const simulator = await startSimulatorProcess({ speed: 5, folder: folder.path })
  const control = await connectControl(simulator.dialer)
  await breakTrunks(control)
  await control.close()
  return {
    driver: createSimulatorClient(),
    dialer: simulator.dialer,
    trunk: simulatedTrunk,
    silent: silentTrunk,
    twoHosts: twoHostsTrunk,
    media: [await sounds.tone(600), await sounds.tone(900)],
    async close() {
      await simulator.kill()
      folder.remove()
      sounds.remove()
    },
  }
})
