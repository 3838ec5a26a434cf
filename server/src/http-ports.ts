import type { App } from './app.ts'
import type { HttpPorts } from './http/ports.ts'
import { openAlerts } from './modules/alerts/actions.ts'
import { audit } from './modules/audit/actions.ts'
import { searchedWords } from './modules/audit/rules.ts'
import { demoAccountExists, viewerOfToken } from './modules/auth/actions.ts'
import { neighbourhoodOf, networkOf } from './modules/auth/rules-throttle.ts'
import { brandOfHost } from './modules/branding/actions.ts'
import { noteUse, requireOwnNetwork, viewerOfKey } from './modules/keys/actions-admit.ts'
import { isKey } from './modules/keys/actions-secret.ts'
import { KeyRates } from './modules/limits/actions-keys.ts'
import { settingOf } from './modules/platform/actions.ts'
import { CallbackGateways, noteRefusedCallback, takeCallback } from './modules/sms-gateways/actions-callback.ts'
import { CallbackRateLimiter } from './modules/sms-gateways/rules-callback.ts'

export function httpPortsOf(app: App): HttpPorts {
  const callbackRates = new CallbackRateLimiter()
  const gateways = new CallbackGateways(app)
  const keyRates = new KeyRates(app)
  return {
    async viewerOfToken(token, ip) {
      if (!isKey(token)) return viewerOfToken(app, token)
      const viewer = await viewerOfKey(app, token)
      if (ip !== undefined) requireOwnNetwork(viewer, ip)
      return viewer
    },
    async admitKey(viewer, key, ip) {
      await keyRates.take(viewer)
      await noteUse(app, key, ip)
    },
    proofMinutes: () => settingOf(app.db, 'proofMinutes'),
    placeOf: (ip) => [neighbourhoodOf(ip), networkOf(ip)],
    demoAccountExists: () => demoAccountExists(app.db),
    exported: (ctx, fileName, { userId, search, ...filters }) =>
      audit(app.db, ctx, 'list.export', typeof userId === 'number' ? `user ${userId}` : null, {
        fileName,
        search: searchedWords(typeof search === 'string' ? search : undefined, filters),
      }),
    brandOfHost: (hostname) => brandOfHost(app, hostname),
    openAlerts: () => openAlerts(app.db),
    async gatewayCalling(gatewayId, secret) {
      const gateway = await gateways.calling(gatewayId, secret)
      return {
        gatewayId,
        mayCallBack: () => callbackRates.take(gateway, app.clock.now()),
        take: (callback) => takeCallback(app, gateway, callback),
        refused: (why) => noteRefusedCallback(app, gatewayId, why),
      }
    },
  }
}
