import type { Tx } from '../db/db.ts'
import type { Viewer } from '../policy.ts'

/** Rows that only the demo and the tests insert directly: plans and lines. Elsewhere people make them through the API. */
export type DemoPlan = { ownerId: number; name: string; pulseSeconds: number; pulsePaisa: number }

export async function insertPlan(tx: Tx, plan: DemoPlan): Promise<number> {
  const { id } = await tx
    .insertInto('plan')
    .values({
      owner_id: plan.ownerId,
      name: plan.name,
      pulse_ms: plan.pulseSeconds * 1000,
      pulse_price_paisa: plan.pulsePaisa,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Caps = { cps: number; channels: number }

export async function insertSimulatedDialer(tx: Tx, name: string, caps: Caps): Promise<number> {
  const { id } = await tx
    .insertInto('dialer')
    .values({ name, driver: 'simulator', host: '127.0.0.1', port: 8088, ...caps })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertTrunk(
  tx: Tx,
  trunk: { dialerId: number; name: string; pilotNumber: string },
  caps: Caps,
): Promise<number> {
  const { id } = await tx
    .insertInto('trunk')
    .values({ name: trunk.name, pilot_number: trunk.pilotNumber, dialer_id: trunk.dialerId, ...caps })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Ari = { host: string; port: number; user: string; sealed: string }

/** Creates the dialer of this name, or stores its new address. */
export async function saveAsteriskDialer(tx: Tx, name: string, ari: Ari, caps: Caps): Promise<number> {
  const place = { host: ari.host, port: ari.port, ari_user: ari.user, ari_secret_sealed: ari.sealed }
  const known = await tx
    .updateTable('dialer')
    .set(place)
    .where('name', '=', name)
    .where('driver', '=', 'asterisk')
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (known) return known.id
  const { id } = await tx
    .insertInto('dialer')
    .values({ name, driver: 'asterisk', ...place, ...caps })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type SipTrunk = { dialerId: number; name: string; pilotNumber: string; sip: { host: string; port: number } }

export async function saveSipTrunk(tx: Tx, trunk: SipTrunk, caps: Caps): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('trunk')
    .set({ sip_host: trunk.sip.host, sip_port: trunk.sip.port })
    .where('name', '=', trunk.name)
    .where('dialer_id', '=', trunk.dialerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  await tx
    .insertInto('trunk')
    .values({
      name: trunk.name,
      pilot_number: trunk.pilotNumber,
      dialer_id: trunk.dialerId,
      sip_host: trunk.sip.host,
      sip_port: trunk.sip.port,
      ...caps,
    })
    .execute()
}

/** Moves the CLIs of one trunk to another, both by name. Does nothing if one of them does not exist. */
export async function moveClis(tx: Tx, from: string, to: string): Promise<void> {
  const trunkId = (name: string) =>
    tx.selectFrom('trunk').select('id').where('name', '=', name).where('deleted_at', 'is', null)
  const target = await trunkId(to).executeTakeFirst()
  if (target) await tx.updateTable('cli').set({ trunk_id: target.id }).where('trunk_id', 'in', trunkId(from)).execute()
}

/** Gives it to each of `holders`, from the account above. */
export async function insertCli(
  tx: Tx,
  cli: { number: string; trunkId: number; channels: number; holders: readonly Viewer[] },
): Promise<number> {
  const { id } = await tx
    .insertInto('cli')
    .values({ number: cli.number, trunk_id: cli.trunkId, channels: cli.channels })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const holder of cli.holders)
    await tx
      .insertInto('cli_holder')
      .values({ cli_id: id, account_id: holder.userId, given_by: holder.parentId ?? holder.userId })
      .execute()
  return id
}

/** A gateway of the simulator, to which all messages are routed. */
export async function insertSimulatedGateway(tx: Tx, name: string, caps: { window: number; tps: number }) {
  const { id: gatewayId } = await tx
    .insertInto('sms_gateway')
    .values({ name, driver: 'simulator', settings: caps })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: routeId } = await tx
    .insertInto('sms_route')
    .values({ operators: everyOperator })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('sms_route_step')
    .values({ route_id: routeId, gateway_id: gatewayId, priority: 1, weight: 1 })
    .execute()
  return { gatewayId, routeId }
}

/** Stores the gateway's new address. Engines that are connected with it connect again. */
export async function saveSmppGateway(tx: Tx, name: string, settings: object, sealed: string): Promise<void> {
  const place = {
    driver: 'smpp',
    settings: JSON.stringify(settings),
    secrets_sealed: sealed,
    changed_at: new Date(),
  } as const
  const { numUpdatedRows } = await tx
    .updateTable('sms_gateway')
    .set(place)
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  await tx
    .insertInto('sms_gateway')
    .values({ name, ...place })
    .execute()
}

/** Moves the route steps of one gateway to another, both by name, except in routes that have both. Does nothing if one of them does not exist. */
export async function moveRouteSteps(tx: Tx, from: string, to: string): Promise<void> {
  const gatewayId = (name: string) =>
    tx.selectFrom('sms_gateway').select('id').where('name', '=', name).where('deleted_at', 'is', null)
  const target = await gatewayId(to).executeTakeFirst()
  if (!target) return
  await tx
    .updateTable('sms_route_step')
    .set({ gateway_id: target.id })
    .where('gateway_id', 'in', gatewayId(from))
    .where('route_id', 'not in', tx.selectFrom('sms_route_step').select('route_id').where('gateway_id', '=', target.id))
    .execute()
}

export async function insertSender(tx: Tx, accountId: number, name: string): Promise<number> {
  const approved = { status: 'approved', operators: everyOperator, decided_at: new Date() } as const
  const { id } = await tx
    .insertInto('sms_sender')
    .values({ account_id: accountId, name, ...approved })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const everyOperator = [0, 1, 2, 3]
