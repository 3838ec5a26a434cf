import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { giveTotp } from '../../testing/factors.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser, seededPassword } from '../../testing/seed.ts'
import { removeFactorsByName } from '../users/actions-operator.ts'

const app = await testApp()
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})

type Headers = Record<string, string>
const post = (url: string, payload: object = {}, headers: Headers = {}) =>
  http.inject({ method: 'POST', url: `/api/obd/${url}`, payload, headers })
const login = ({ username }: Viewer) => post('login', { username, password: seededPassword })
async function withTotp(person: Parameters<typeof newUser>[1] = {}): Promise<Viewer> {
  const user = await newUser(app, person)
  await giveTotp(app, user.userId)
  return user
}

describe('an owner who has lost them all', () => {
  const removeOf = async (by: Viewer, { userId }: Viewer) =>
    post('user/factors/remove', { userId, reason: 'Lost the telephone' }, await signedIn(app, by))

  test('gets in by the password alone once the account right above or a super admin has removed them', async () => {
    const reseller = await newReseller(app)
    const user = await withTotp({ parent: reseller })
    expect((await post('factors/recovery', {}, await signedIn(app, user))).statusCode).toBe(200)
    expect((await removeOf(reseller, user)).statusCode).toBe(200)
    expect((await login(user)).json()).toHaveProperty('token')
    expect((await removeOf(reseller, user)).statusCode, 'there are none').toBe(409)
    await giveTotp(app, user.userId)
    expect((await removeOf(await newSuperAdmin(app), user)).statusCode).toBe(200)
    const notices = await app.db.selectFrom('notice').select('kind').where('user_id', '=', user.userId).execute()
    expect(notices).toContainEqual({ kind: 'factorChanged' })
    const [line] = await app.db
      .selectFrom('audit_log')
      .select(['detail', 'owner_id'])
      .where('action', '=', 'user.removeFactors')
      .where('actor_id', '=', reseller.userId)
      .execute()
    expect(line).toEqual({
      owner_id: user.userId,
      detail: { username: user.username, reason: 'Lost the telephone' },
    })
  })

  test('asks in vain an account that is not right above, and nobody does it for themselves', async () => {
    const top = await newReseller(app)
    const reseller = await newReseller(app, { parent: top })
    const user = await withTotp({ parent: reseller })
    expect((await removeOf(top, user)).statusCode).toBe(403)
    expect((await removeOf(await newReseller(app), user)).statusCode).toBe(404)
    const [admin, another] = [await newSuperAdmin(app), await newSuperAdmin(app)]
    await giveTotp(app, admin.userId)
    expect((await removeOf(admin, admin)).statusCode).toBe(403)
    expect((await removeOf(another, admin)).statusCode).toBe(200)
  })

  test('gets in after the operator’s command, too', async () => {
    const admin = await newSuperAdmin(app)
    await giveTotp(app, admin.userId)
    expect(await removeFactorsByName(app.db, admin.username)).toContain('the password alone opens the account')
    expect((await login(admin)).json()).toHaveProperty('token')
    const notices = await app.db.selectFrom('notice').select('kind').where('user_id', '=', admin.userId).execute()
    expect(notices, 'and is told').toEqual([{ kind: 'factorChanged' }])
    await expect(removeFactorsByName(app.db, admin.username)).rejects.toThrow('has no second factor')
  })
})
