import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { Viewer } from '../../policy.ts'
import type { Row } from './route-rows.ts'
import * as messages from './route-fixtures-messages.ts'
import * as sms from './route-fixtures-sms.ts'
import * as fixtures from './route-fixtures.ts'

const ofAccount: Row = { on: ['userId', fixtures.account] }
/** A reseller reads what customers have. Only the customer and a super admin may delete it. */
const notTheirs = { child: 403, deeper: 403 }
const operators = ['ntc', 'ncell']
const ofGateway: Row = { on: ['gatewayId', sms.smsGateway] }
const smpp = (_: Viewer, fresh: string) => ({
  gatewayName: fresh,
  driver: 'smpp',
  host: 'smsc.example.com',
  port: 2775,
  systemId: fresh.replaceAll(' ', '').slice(-15),
  password: 'secret',
  tps: 10,
})
const wayOf = (_: Viewer, fresh: string) => ({ operators, cliName: fresh.replace(' ', '') })
const ofSender: Row = { on: ['cliId', sms.smsSender], fields: { operators } }
const ofText: Row = { on: ['textId', sms.smsText] }

/** Routes of gateways, message routes, sender IDs and saved texts (route-rows.ts has the rules). */
export const smsLineRows = {
  'smsGateways.list': { fields: { driver: 'smpp', state: 'bound' } },
  'smsGateways.detail': ofGateway,
  'smsGateways.create': { fields: smpp },
  'smsGateways.update': { ...ofGateway, fields: smpp },
  'smsGateways.enable': { ...ofGateway, fields: { enabled: true } },
  'smsGateways.delete': ofGateway,
  'smsGateways.test': { ...ofGateway, fields: { testKind: 'ping' }, ok: 409 }, // no engine is connected with it
  'smsGateways.testResult': { on: ['testId', sms.smsGatewayTest] },
  'sends.create': {
    names: { from: messages.sender },
    fields: { to: '9841000001', text: 'Hello', template: undefined },
  },
  'sends.detail': { on: ['messageId', messages.sent] },
  'sends.find': { fields: { reference: 'invoice 1' } },
  'smsInbox.list': { ...ofAccount, fields: { action: 'optOut', campaign: 'x' } },
  'smsRoutes.list': {},
  'smsRoutes.create': { names: { steps: sms.smsSteps }, fields: wayOf },
  'smsRoutes.update': { on: ['routeId', sms.smsRoute], names: { steps: sms.smsSteps }, fields: wayOf },
  'smsRoutes.delete': { on: ['routeId', sms.smsRoute] },
  'smsSenders.listAll': { fields: { cliStatus: '0' } },
  'smsSenders.list': { ...ofAccount, fields: { cliStatus: '0' } },
  'smsSenders.ask': { fields: (_, fresh) => ({ cliName: fresh.replace(' ', '') }) },
  'smsSenders.approve': ofSender,
  'smsSenders.reject': ofSender,
  'smsSenders.approveMany': { on: ['cliIds', fixtures.several(sms.smsSender)], fields: { operators }, each: true },
  'smsSenders.rejectMany': { on: ['cliIds', fixtures.several(sms.smsSender)], each: true },
  'smsSenders.delete': { ...ofSender, except: { reseller: notTheirs } },
  'smsTexts.listAll': { fields: { textStatus: '0' } },
  'smsTexts.list': { ...ofAccount, fields: { textStatus: '0' } },
  'smsTexts.save': { fields: (_, fresh) => ({ textName: fresh, smsText: 'नमस्ते {name}' }) },
  'smsTexts.delete': { ...ofText, except: { reseller: notTheirs } },
  'smsTexts.approve': ofText,
  'smsTexts.reject': ofText,
  'smsTexts.approveMany': { on: ['textIds', fixtures.several(sms.smsText)], each: true },
  'smsTexts.rejectMany': { on: ['textIds', fixtures.several(sms.smsText)], each: true },
} satisfies Partial<Record<RouteKey, Row>>
