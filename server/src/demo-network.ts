/** Which telephone network the demo's caller IDs belong to: the simulator, or the Asterisk of `--asterisk`. */
import type { App } from './app.ts'
import type { LocalAsterisk } from './local-asterisk.ts'
import { ariSecretPurpose } from './modules/dialers/rules-secrets.ts'
import { seal } from './secrets.ts'
import * as store from './store-demo.ts'

export const simulatedTrunk = 'Simulated trunk'
const asteriskTrunk = 'Virtual operator'

/** The dialer's row says where it is this time; what is composed from now on goes there. A campaign ends on the network that it began on. */
export async function useAsterisk(app: App, { dialer, operator }: LocalAsterisk): Promise<void> {
  const sealed = seal(app.config.secret, ariSecretPurpose, dialer.secret)
  await app.db.transaction().execute(async (tx) => {
    const { host, port, user } = dialer
    const caps = { cps: 10, channels: 100 }
    const dialerId = await store.saveAsteriskDialer(tx, 'Asterisk on this machine', { host, port, user, sealed }, caps)
    const trunk = { dialerId, name: asteriskTrunk, pilotNumber: '015970000', sip: operator }
    await store.saveSipTrunk(tx, trunk, caps)
    await store.moveClis(tx, simulatedTrunk, asteriskTrunk)
  })
}

export async function useSimulator(app: App): Promise<void> {
  await app.db.transaction().execute((tx) => store.moveClis(tx, asteriskTrunk, simulatedTrunk))
}
