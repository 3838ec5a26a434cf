import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newSuperAdmin } from '../../testing/seed.ts'
import { alertOver, raiseAlert } from '../alerts/actions.ts'
import { trunkHandlers } from './routes-trunks.ts'

const app = await testApp({ embedded: false })
const http = await testHttp(app, { handlers: { trunks: trunkHandlers } })
const headers = await signedIn(app, await newSuperAdmin(app))
const { trunkId } = await newLine(app)

test('a trunk whose answers contradict themselves is named on its page until the alert is cleared', async () => {
  const symptoms = async () => (await http.inject({ url: `/api/obd/trunk/detail/${trunkId}`, headers })).json().symptoms
  const detail = '8 of 8 calls had answers that contradict themselves: it gives payload number 101 two meanings'
  await raiseAlert(app.db, 'contradicting_answers', `trunk ${trunkId}`, detail)
  await raiseAlert(app.db, 'trunk_held', `trunk ${trunkId}`, 'SIP 503')
  await raiseAlert(app.db, 'dead_air', `trunk ${trunkId}0`, '8 of 8 sampled calls had no sound')
  expect(await symptoms()).toEqual([{ kind: 'contradicting_answers', detail, since: expect.any(String) }])
  await alertOver(app.db, 'contradicting_answers', `trunk ${trunkId}`)
  expect(await symptoms()).toEqual([])
})
