import { dialerDrivers } from '@ghanti/contract/dialers.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { createDialer, deleteDialer, giveUpDialer, updateDialer } from './actions-dialers.ts'
import { failureOf } from './actions-now.ts'
import * as store from './store-dialers.ts'

export const dialerHandlers: Handlers<'dialers'> = {
  async choices({ app }) {
    return (await store.dialerChoices(app.db)).map(({ id, name }) => ({ dialerId: id, dialerName: name }))
  },
  async list({ app }, { state }, query) {
    const page = await store.listDialers(app.db, state, query)
    return {
      ...page,
      rows: page.rows.map((row) => ({
        ...fieldsOf(row),
        activeCli: row.active_clis,
        ...nowOf(row),
      })),
    }
  },
  async create(ctx, input) {
    return { message: messages.success, dialerId: await createDialer(ctx, input) }
  },
  async detail({ app }, { dialerId }) {
    const dialer = await store.findDialerNow(app.db, dialerId)
    if (!dialer) throw new AppError('not_found')
    return {
      ...fieldsOf(dialer),
      ...nowOf(dialer),
      ari: {
        user: dialer.ari_user,
        hasSecret: dialer.ari_secret_sealed !== null,
        tlsFingerprint: dialer.tls_fingerprint,
        mediaFolder: dialer.media_folder,
        mediaUrl: dialer.media_url,
      },
    }
  },
  async update(ctx, input) {
    await updateDialer(ctx, input)
    return { message: messages.success }
  },
  async giveUp(ctx, { dialerId, reason }) {
    await giveUpDialer(ctx, dialerId, reason)
    return { message: messages.success }
  },
  async delete(ctx, { dialerId }) {
    await deleteDialer(ctx, dialerId)
    return { message: messages.success }
  },
}

function fieldsOf(row: store.Dialer) {
  const driver = dialerDrivers.find((name) => name === row.driver)
  if (!driver) throw new Error(`dialer ${row.id} has the unknown driver ${row.driver}`)
  return {
    dialerId: row.id,
    dialerName: row.name,
    dialerIP: row.host,
    dialerPort: row.port,
    cps: row.cps,
    totalChannels: row.channels,
    channelReduction: row.channel_reduction,
    cpsReduction: row.cps_reduction,
    driver,
  }
}

function nowOf(row: store.DialerNow) {
  const { given_up_at: at, given_up_reason: reason } = row
  return {
    dialerCalls: row.calls,
    callCampaigns: row.campaigns,
    callAccounts: row.accounts,
    givenUp: at && reason !== null ? { at: nepalTimeOf(at), reason } : null,
    state: stateOf(row),
  }
}

function stateOf(row: store.DialerState) {
  if (row.reachable === null || row.since === null) return null
  return {
    reachable: row.reachable,
    reason: row.reason,
    since: nepalTimeOf(row.since),
    channelsUsed: row.channels_used ?? 0,
    callsPerSecond: row.begun ?? 0,
    roundTripMs: row.round_trip_ms,
    lastFailure: failureOf(row.last_failure, row.last_failure_at),
    engineName: row.engine_name,
  }
}
