import { noId, type RouteFixture } from './route-fixtures.ts'

let serial = 0

/** A sender ID that waits for approval. */
export const smsSender: RouteFixture = {
  owners: ['user'],
  async make(app, owner) {
    const { id } = await app.db
      .insertInto('sms_sender')
      .values({ account_id: owner.userId, name: `S${++serial}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

/** A text that waits for approval. */
export const smsText: RouteFixture = {
  owners: ['user'],
  async make(app, owner) {
    const text = { name: `Text ${++serial} of ${owner.username}`, text: 'नमस्ते {name}' }
    const { id } = await app.db
      .insertInto('sms_text')
      .values({ account_id: owner.userId, ...text })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

/** A gateway that no route uses, which can be deleted. */
export const smsGateway: RouteFixture = {
  platform: true,
  async make(app) {
    const gateway = { name: `Gateway ${++serial}`, driver: 'simulator', settings: { window: 5, tps: 10 } } as const
    const { id } = await app.db.insertInto('sms_gateway').values(gateway).returning('id').executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

export const smsGatewayTest: RouteFixture = {
  platform: true,
  async make(app, owner, viewer) {
    const gatewayId = (await smsGateway.make(app, owner, viewer)) as number
    const { id } = await app.db
      .insertInto('sms_gateway_test')
      .values({ gateway_id: gatewayId, kind: 'ping', by_user_id: viewer.userId })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

/** A route of a sender ID without other routes. */
export const smsRoute: RouteFixture = {
  platform: true,
  async make(app, owner, viewer) {
    const gatewayId = (await smsGateway.make(app, owner, viewer)) as number
    const { id } = await app.db
      .insertInto('sms_route')
      .values({ operators: [1], sender: `R${++serial}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    await app.db
      .insertInto('sms_route_step')
      .values({ route_id: id, gateway_id: gatewayId, priority: 1, weight: 1 })
      .execute()
    return id
  },
  missing: noId,
}

/** The steps of a route over one gateway. */
export const smsSteps: RouteFixture = {
  platform: true,
  make: async (app, owner, viewer) => [{ gatewayId: await smsGateway.make(app, owner, viewer) }],
  missing: [{ gatewayId: noId }],
}
