import { trunkSymptomKinds } from '@ghanti/contract/alerts.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { SipOptions } from '@ghanti/contract/sip-options.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { sipCodecs } from '@ghanti/contract/trunks.ts'
import * as z from 'zod/mini'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { openAlertsAbout } from '../alerts/actions.ts'
import { askTest, outcomeOf } from './actions-tests.ts'
import { createTrunk, deleteTrunk, updateTrunk } from './actions-trunks.ts'
import { stateOf } from './actions-now.ts'
import { findTest } from './store-tests.ts'
import * as store from './store-trunks.ts'

export const trunkHandlers: Handlers<'trunks'> = {
  async list({ app }, filter, query) {
    const page = await store.listTrunks(app.db, filter, query)
    return {
      ...page,
      rows: page.rows.map((row) => ({ ...fieldsOf(row), activeCli: row.active_clis, state: stateOf(row) })),
    }
  },
  async create(ctx, input) {
    return { message: messages.success, trunkId: await createTrunk(ctx, input) }
  },
  async detail({ app }, { trunkId }) {
    const trunk = await store.findTrunk(app.db, trunkId)
    if (!trunk) throw new AppError('not_found')
    const symptoms = await openAlertsAbout(app.db, `trunk ${trunkId}`, trunkSymptomKinds)
    return {
      ...fieldsOf(trunk),
      unusable: await store.whyUnusable(app.db, trunkId),
      symptoms: symptoms.map(({ kind, detail, at }) => ({ kind, detail, since: nepalTimeOf(at) })),
      sip: sipOf(trunk),
    }
  },
  async update(ctx, input) {
    await updateTrunk(ctx, input)
    return { message: messages.success }
  },
  async delete(ctx, { trunkId }) {
    await deleteTrunk(ctx, trunkId)
    return { message: messages.success }
  },
  async test(ctx, input) {
    return { message: messages.success, testId: await askTest(ctx, input) }
  },
  async testResult({ app }, { testId }) {
    const test = await findTest(app.db, testId)
    if (!test) throw new AppError('not_found')
    return {
      testId,
      trunkId: test.trunk_id,
      testKind: test.kind,
      number: test.phone === null ? null : nationalOf(String(test.phone)),
      cli: test.cli,
      askedAt: nepalTimeOf(test.asked_at),
      progress: test.progress,
      ...outcomeOf(test),
    }
  },
}

function fieldsOf(row: store.Trunk) {
  return {
    trunkId: row.id,
    trunkName: row.name,
    pilotNumber: row.pilot_number,
    dialerId: row.dialer_id,
    dialerName: row.dialer_name,
    channels: row.channels,
    cps: row.cps,
    contractId: row.contract_id,
    contractName: row.contract_name,
  }
}

function sipOf(row: store.Trunk) {
  return {
    host: row.sip_host,
    port: row.sip_port,
    transport: row.sip_transport,
    user: row.sip_user,
    hasSecret: row.sip_secret_sealed !== null,
    codecs: row.codecs.flatMap((codec) => sipCodecs.find((known) => known === codec) ?? []),
    cliFormat: row.cli_format,
    cliHeader: row.cli_header,
    numberStrip: row.number_strip,
    numberPrefix: row.number_prefix,
    registers: row.registers,
    ringSeconds: row.ring_seconds,
    testNumber: row.test_number === null ? null : nationalOf(String(row.test_number)),
    ...z.parse(SipOptions, row.sip_options),
  }
}
