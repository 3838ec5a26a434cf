/** The networks of the demo: simulated ones, or the Asterisk of `--asterisk` and the message centre of `--smpp`. */
import type { App } from '../app.ts'
import type { LocalAsterisk } from './local-asterisk.ts'
import type { LocalSmsc } from './local-smsc.ts'
import { ariSecretPurpose } from '../modules/dialers/rules-secrets.ts'
import { gatewaySecretsPurpose } from '../modules/sms-gateways/rules-settings.ts'
import { seal } from '../lib/secrets.ts'
import * as store from './store-demo.ts'

export const simulatedTrunk = 'Simulated trunk'
const asteriskTrunk = 'Virtual operator'
export const simulatedGateway = 'Simulated gateway'
const smppGateway = 'SMPP on this machine'

/** Stores where the dialer is this time. New campaigns use it; a campaign ends on the network on which it began. */
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

/** Stores where the gateway is this time. New messages use it. */
export async function useSmpp(app: App, { host, port, systemId, password }: LocalSmsc): Promise<void> {
  const secrets = seal(app.config.secret, gatewaySecretsPurpose, JSON.stringify({ password }))
  const settings = { host, port, systemId, window: 50, tps: 100 }
  await app.db.transaction().execute(async (tx) => {
    await store.saveSmppGateway(tx, smppGateway, settings, secrets)
    await store.moveRouteSteps(tx, simulatedGateway, smppGateway)
  })
}

export async function useSimulatedGateway(app: App): Promise<void> {
  await app.db.transaction().execute((tx) => store.moveRouteSteps(tx, smppGateway, simulatedGateway))
}
