import { authRoutes } from '@ghanti/contract/auth.ts'
import { signInRoutes } from '@ghanti/contract/sign-in.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { addressOf, call, fileAddress, list, onOwnerAsked } from './client.ts'
import { ApiError } from './error.ts'
import { setPageOwner } from './page-owner.ts'

afterEach(() => {
  vi.restoreAllMocks()
  setPageOwner(() => null)
})

/** Stands in for the network: these replies in order; null breaks the connection. */
function network(...answers: (Response | null)[]) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(() => {
    const answer = answers.shift()
    return answer ? Promise.resolve(answer) : Promise.reject(new TypeError('Failed to fetch'))
  })
}
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
const keyOf = (sent: ReturnType<typeof network>, nth: number) =>
  new Headers(sent.mock.calls[nth]?.[1]?.headers).get('idempotency-key')

test('path parameters are escaped, and empty fields are left out', () => {
  expect(addressOf(promptRoutes.listen, { userId: 7, fileName: 'दशैं 1?.wav' }).path).toBe(
    `/assets/voice/7/prompts/${encodeURIComponent('दशैं 1?.wav')}`,
  )
  expect(fileAddress(voiceCampaignRoutes.exportCsv, { userId: 7, search: '' })).toBe(
    '/api/obd/campaign/7/campaign_summary.csv',
  )
  expect(() => addressOf(userRoutes.profile, {})).toThrow('userId')
})

test('a write without an answer is repeated with its key; after an answer the next write has a new one', async () => {
  const sent = network(null, json(200, { message: 'Success' }), json(200, { message: 'Success' }))
  const pause = () => call(voiceCampaignRoutes.pause, { campaignId: 3 })
  await expect(pause()).rejects.toMatchObject({ status: 0 })
  await pause()
  await pause()
  expect(keyOf(sent, 1)).toBe(keyOf(sent, 0))
  expect(keyOf(sent, 2)).not.toBe(keyOf(sent, 1))
})

test('a list reports how many rows there are in all', async () => {
  network(json(200, [], { 'x-total-count': '10000', 'x-total-exact': 'false' }))
  expect(await list(promptRoutes.list, { userId: 7 }, { query: { page: 1 } })).toEqual({
    rows: [],
    beside: {},
    total: 10_000,
    exact: false,
    truncated: false,
  })
})

test('a failure carries the message, the fields and how long to wait', async () => {
  const errors = [{ field: 'campaignId', code: 'status', text: 'Only a running campaign can be paused' }]
  network(
    json(409, { message: 'Request Failed!! Please try again', errors }),
    json(429, { message: 'x' }, { 'retry-after': '30' }),
  )
  await expect(call(voiceCampaignRoutes.pause, { campaignId: 3 })).rejects.toEqual(
    new ApiError(409, 'Request Failed!! Please try again', errors),
  )
  await expect(call(signInRoutes.login, { username: 'a', password: 'b' })).rejects.toMatchObject({
    retryAfterSeconds: 30,
  })
})

test('only the two messages about a lost session end it; a wrong password does not', async () => {
  let lost = 0
  onOwnerAsked(async () => {
    lost += 1
    return false
  })
  network(json(401, { message: 'Bad credentials' }), json(401, { message: 'Token Expired' }))
  await call(signInRoutes.login, { username: 'a', password: 'b' }).catch(() => undefined)
  expect(lost).toBe(0)
  await expect(call(authRoutes.session, {})).rejects.toMatchObject({ message: 'Token Expired' })
  expect(lost).toBe(1)
})

test('what was refused because the session had ended is sent once more after a new sign-in', async () => {
  onOwnerAsked(async () => true)
  const sent = network(json(401, { message: 'Token Not Valid.' }), json(200, { message: 'Success' }))
  expect(await call(voiceCampaignRoutes.pause, { campaignId: 77 })).toMatchObject({ message: 'Success' })
  expect(sent).toHaveBeenCalledTimes(2)
  onOwnerAsked(async () => false)
})

test('an answer that violates the contract is a failure, not a crash on screen', async () => {
  network(json(200, { userId: 'seven' }))
  await expect(call(authRoutes.session, {})).rejects.toMatchObject({
    message: 'The server’s answer was not understood. Please reload the page.',
    errors: [], // users cannot act on a validator's lines
  })
})

test('an answer that succeeded with anything but 200 is No data found (specification 1 §7)', async () => {
  network(new Response(null, { status: 204 }), json(202, { message: 'Success' }), new Response(null, { status: 204 }))
  await expect(call(authRoutes.session, {})).rejects.toEqual(new ApiError(204, 'No data found'))
  await expect(call(voiceCampaignRoutes.pause, { campaignId: 3 })).rejects.toEqual(new ApiError(202, 'No data found'))
  await expect(list(promptRoutes.list, { userId: 7 })).rejects.toEqual(new ApiError(204, 'No data found'))
})

test.each([500, 502, 503, 504])(
  'a %i may have come after it was done: the same again has the same key, a write or an upload',
  async (status) => {
    const sent = network(json(status, { message: 'x' }), json(200, { message: 'Success' }))
    const pause = () => call(voiceCampaignRoutes.pause, { campaignId: status })
    await expect(pause()).rejects.toMatchObject({ status })
    await pause()
    expect(keyOf(sent, 1)).toBe(keyOf(sent, 0))
    expect(keyOf(sent, 0)).toMatch(/./)
  },
)

const uploaded = json.bind(null, 200, { message: 'Success', promptId: 1 })
const voiceFile = (text: string, lastModified = 1) => new File([text], 'a.wav', { type: 'audio/wav', lastModified })
const upload = (waveFile: File, promptCategory: 'menu' | 'welcome' = 'menu') =>
  call(promptRoutes.upload, { fileName: 'a', promptCategory }, { files: { waveFile } })

test('an upload without an answer is repeated with its key; another file or other fields get a new one', async () => {
  const sent = network(null, null, null, null, uploaded(), uploaded())
  const refused = async (sending: Promise<unknown>) => expect(sending).rejects.toMatchObject({ status: 0 })
  await refused(upload(voiceFile('one')))
  await refused(upload(voiceFile('other', 2)))
  await refused(upload(voiceFile('longer')))
  await refused(upload(voiceFile('one'), 'welcome'))
  await upload(voiceFile('one'))
  await upload(voiceFile('one'))
  expect(new Set([0, 1, 2, 3, 5].map((nth) => keyOf(sent, nth))).size).toBe(5)
  expect(keyOf(sent, 4)).toBe(keyOf(sent, 0))
})

test('a request beyond the account’s limit is repeated when there is room, with its key; other refusals are shown', async () => {
  const errors = [
    { field: 'account', code: 'throttled', text: 'One account may have 2 contact files under way at once' },
  ]
  const busy = () => json(429, { message: 'x', errors }, { 'retry-after': '1' })
  const sent = network(busy(), json(200, { message: 'Success' }), json(429, { message: 'x' }, { 'retry-after': '1' }))
  const pause = () => call(voiceCampaignRoutes.pause, { campaignId: 5 })
  await pause()
  expect(sent).toHaveBeenCalledTimes(2)
  await expect(pause()).rejects.toMatchObject({ status: 429 })
  expect(sent).toHaveBeenCalledTimes(3)
})

test('cancelling ends the wait, and a wait that would take too long is shown at once', async () => {
  const errors = [{ field: 'account', code: 'throttled', text: 'One account may begin 20 contact files a minute' }]
  const busy = (seconds: string) => json(429, { message: 'x', errors }, { 'retry-after': seconds })
  const sent = network(busy('60'), busy('90'))
  const controller = new AbortController()
  const waiting = call(voiceCampaignRoutes.pause, { campaignId: 6 }, { signal: controller.signal })
  setTimeout(() => controller.abort(), 50)
  await expect(waiting).rejects.toMatchObject({ status: 429 })
  await expect(call(voiceCampaignRoutes.pause, { campaignId: 6 })).rejects.toMatchObject({ status: 429 })
  expect(sent).toHaveBeenCalledTimes(2)
})

test('the key stays while the first attempt is still running, and is dropped once the server says that its outcome is lost', async () => {
  const refused = (code: string) => json(409, { message: 'x', errors: [{ field: 'Idempotency-Key', code, text: 'x' }] })
  const sent = network(null, refused('in_flight'), refused('unknown'), json(200, { message: 'Success' }))
  const pause = () => call(voiceCampaignRoutes.pause, { campaignId: 4 })
  for (const status of [0, 409, 409]) await expect(pause()).rejects.toMatchObject({ status })
  await pause()
  expect(new Set([0, 1, 2].map((nth) => keyOf(sent, nth))).size).toBe(1)
  expect(keyOf(sent, 3)).not.toBe(keyOf(sent, 0))
})

const ownerOf = (sent: ReturnType<typeof network>, nth: number) =>
  new Headers(sent.mock.calls[nth]?.[1]?.headers).get('page-owner')

test('whatever is sent names the page’s account; before the sign-in there is none', async () => {
  const sent = network(json(200, { message: 'Success' }), uploaded(), json(200, []), json(200, { message: 'Success' }))
  setPageOwner(() => 7)
  await call(voiceCampaignRoutes.pause, { campaignId: 8 })
  await upload(voiceFile('of seven'))
  await list(promptRoutes.list, { userId: 7 })
  setPageOwner(() => null)
  await call(authRoutes.logout, {})
  expect([0, 1, 2, 3].map((nth) => ownerOf(sent, nth))).toEqual(['7', '7', '7', null])
})

test('an upload that shows its progress names it too', async () => {
  const named = vi.spyOn(XMLHttpRequest.prototype, 'setRequestHeader')
  vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(function (this: XMLHttpRequest) {
    this.dispatchEvent(new Event('error'))
  })
  setPageOwner(() => 7)
  const sending = call(
    promptRoutes.upload,
    { fileName: 'b', promptCategory: 'menu' },
    { files: { waveFile: voiceFile('of seven') }, onProgress: () => undefined },
  )
  await expect(sending).rejects.toMatchObject({ status: 0 })
  expect(named.mock.calls).toContainEqual(['page-owner', '7']) // Headers are lower-case
})

test('what waits until there is room is sent as the account that asked for it', async () => {
  const errors = [{ field: 'account', code: 'throttled', text: 'One account may begin 20 contact files a minute' }]
  const sent = network(json(429, { message: 'x', errors }, { 'retry-after': '1' }), json(200, { message: 'Success' }))
  setPageOwner(() => 7)
  const pausing = call(voiceCampaignRoutes.pause, { campaignId: 9 })
  setPageOwner(() => 8)
  await pausing
  expect([ownerOf(sent, 0), ownerOf(sent, 1)]).toEqual(['7', '7'])
})
