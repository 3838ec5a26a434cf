import { newLine, newSuperAdmin, newUser } from '../seed.ts'
import { noId, type RouteFixture } from './route-fixtures.ts'

/** The number of a caller ID that the owner holds. */
export const cli: RouteFixture = {
  make: async (app, owner) => (await newLine(app, { holders: [owner] })).cli,
  missing: '0149999999',
}

/** A caller ID that the owner has from the platform. A reseller has passed it on. */
export const heldCli: RouteFixture = {
  owners: ['user', 'reseller'],
  async make(app, owner) {
    const { cliId } = await newLine(app)
    const { userId: givenBy } = await newSuperAdmin(app)
    const holdings = [{ cli_id: cliId, account_id: owner.userId, given_by: givenBy }]
    if (owner.role === 'reseller') {
      const child = await newUser(app, { parent: owner })
      holdings.push({ cli_id: cliId, account_id: child.userId, given_by: owner.userId })
    }
    await app.db.insertInto('cli_holder').values(holdings).execute()
    return cliId
  },
  missing: noId,
}

/** The allocation of a caller ID to the owner by the account above, which has it from the platform. */
export const allocation: RouteFixture = {
  owners: ['user', 'reseller'],
  async make(app, owner) {
    const { cliId } = await newLine(app)
    const { userId: platform } = await newSuperAdmin(app)
    const { parent_id: parent, role } = await app.db
      .selectFrom('users as me')
      .innerJoin('users as above', 'above.id', 'me.parent_id')
      .select(['me.parent_id', 'above.role'])
      .where('me.id', '=', owner.userId)
      .executeTakeFirstOrThrow()
    const isPassedOn = parent !== null && role === 'reseller'
    if (isPassedOn)
      await app.db.insertInto('cli_holder').values({ cli_id: cliId, account_id: parent, given_by: platform }).execute()
    const { id } = await app.db
      .insertInto('cli_holder')
      .values({ cli_id: cliId, account_id: owner.userId, given_by: isPassedOn ? parent : platform })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

/** Any caller ID, for the super admin. */
export const anyCli: RouteFixture = { platform: true, make: async (app) => (await newLine(app)).cliId, missing: noId }

export const trunkName: RouteFixture = {
  platform: true,
  async make(app) {
    const { trunkId } = await newLine(app)
    const trunk = app.db.selectFrom('trunk').select('name').where('id', '=', trunkId)
    return (await trunk.executeTakeFirstOrThrow()).name
  },
  missing: 'There is no such trunk',
}

/** A caller ID of the viewer for one of the viewer's children. */
export const cliRows: RouteFixture = {
  platform: true,
  async make(app, _, viewer) {
    const { cliId } = await newLine(app, { holders: viewer.role === 'superAdmin' ? [] : [viewer] })
    const child = viewer.role === 'user' ? viewer : await newUser(app, { parent: viewer })
    return [{ cliId, userId: child.userId }]
  },
  missing: [{ cliId: noId, userId: noId }],
}

/** Caller IDs of the viewer for a new account. */
export const clis: RouteFixture = {
  platform: true,
  make: async (app, _, viewer) => [
    (await newLine(app, { holders: viewer.role === 'superAdmin' ? [] : [viewer] })).cliId,
  ],
  missing: [noId],
}

/** A dialer without trunks, which can be deleted. */
export const dialer: RouteFixture = {
  platform: true,
  async make(app) {
    const { dialerId, trunkId, cliId } = await newLine(app)
    const gone = { deleted_at: new Date() }
    await app.db.updateTable('cli').set(gone).where('id', '=', cliId).execute()
    await app.db.updateTable('trunk').set(gone).where('id', '=', trunkId).execute()
    return dialerId
  },
  missing: noId,
}

/** A trunk without caller IDs, which can be deleted. */
export const trunk: RouteFixture = {
  platform: true,
  async make(app) {
    const { trunkId, cliId } = await newLine(app)
    await app.db.updateTable('cli').set({ deleted_at: new Date() }).where('id', '=', cliId).execute()
    return trunkId
  },
  missing: noId,
}

let serial = 0
export const callRoute: RouteFixture = {
  platform: true,
  async make(app) {
    const { trunkId } = await newLine(app)
    const name = `Route ${++serial}`
    const { id } = await app.db.insertInto('call_route').values({ name }).returning('id').executeTakeFirstOrThrow()
    await app.db
      .insertInto('call_route_step')
      .values({ route_id: id, trunk_id: trunkId, priority: 1, weight: 1 })
      .execute()
    return id
  },
  missing: noId,
}

/** Without trunks, so that it can be deleted. */
export const contract: RouteFixture = {
  platform: true,
  async make(app) {
    const contract = { name: `Contract ${++serial}`, channels: 30, cps: 10 }
    return (await app.db.insertInto('operator_contract').values(contract).returning('id').executeTakeFirstOrThrow()).id
  },
  missing: noId,
}

export const callSteps: RouteFixture = {
  platform: true,
  make: async (app) => [{ trunkId: (await newLine(app)).trunkId }],
  missing: [{ trunkId: noId }],
}

export const trunkTest: RouteFixture = {
  platform: true,
  async make(app, _, viewer) {
    const { trunkId, dialerId } = await newLine(app)
    const { id } = await app.db
      .insertInto('trunk_test')
      .values({ trunk_id: trunkId, dialer_id: dialerId, kind: 'ping', by_user_id: viewer.userId })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

export const trunkDisposition: RouteFixture = {
  platform: true,
  async make(app) {
    const { trunkId } = await newLine(app)
    const { id } = await app.db
      .insertInto('trunk_disposition')
      .values({ trunk_id: trunkId, sip_status: 480, disposition: 'INVALID', sign: 'good' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

const lineOfGroups = new WeakMap<object, ReturnType<typeof newLine>>()
/** Caller IDs of a group, and its trunk, are of one dialer. */
function groupLine(app: Parameters<typeof newLine>[0]): ReturnType<typeof newLine> {
  const line = lineOfGroups.get(app) ?? newLine(app)
  lineOfGroups.set(app, line)
  return line
}

export const trunkOfGroup: RouteFixture = {
  platform: true,
  async make(app) {
    const { trunkId } = await groupLine(app)
    const trunk = app.db.selectFrom('trunk').select('name').where('id', '=', trunkId)
    return (await trunk.executeTakeFirstOrThrow()).name
  },
  missing: 'There is no such trunk',
}

export const groupMembers: RouteFixture = {
  platform: true,
  make: async (app) => [{ cliId: (await groupLine(app)).cliId }],
  missing: [{ cliId: noId }],
}

export const cliGroup: RouteFixture = {
  platform: true,
  async make(app) {
    const { trunkId: trunk_id, cliId: cli_id } = await groupLine(app)
    const group = { number: `Group ${++serial}`, trunk_id, is_group: true }
    const { id } = await app.db.insertInto('cli').values(group).returning('id').executeTakeFirstOrThrow()
    await app.db.insertInto('cli_member').values({ group_id: id, cli_id }).execute()
    return id
  },
  missing: noId,
}
