import { Flow } from '@ghanti/callflow/flow.ts'
import { testsAtOnceMax, testsPerHourMax, type TestCall } from '@ghanti/contract/test-calls.ts'
import type { PreviewInput } from '@ghanti/contract/compose.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { Problems } from '../campaigns/actions.ts'
import { actAs } from '../campaigns/actions-state.ts'
import { rowOfBase } from '../contacts/actions-row.ts'
import { priceChain } from '../credits/actions.ts'
import { withFiles } from '../files/actions.ts'
import { requireCli } from '../lines/actions.ts'
import { settingOf } from '../platform/actions.ts'
import type { Setting } from '../platform/rules.ts'
import { refuseDeleted } from '../retention/actions-delete.ts'
import { transactionWithAgents } from '../voice-compose/actions-agents.ts'
import { flowOfCampaign, flowOfInput, namesOfPrompts, type FlowOfBase } from '../voice-compose/actions-flow.ts'
import { keyLabelsOf } from '../voice-compose/actions-labels.ts'
import { insertSingleCalls } from '../voice-compose/actions-single.ts'
import { promptsPlayed, readNumbers, testCallOf, whyNumberWaits } from './rules.ts'
import * as store from './store.ts'

/** Someone is waiting at the telephone, so a call that has not rung by then is not placed. */
const beginWithinMs = 10 * 60_000

type Whom = { numbers: readonly string[]; row?: number | undefined }
type Tested = FlowOfBase & { name: string; cli: string; campaignId: number | null }

export async function testComposed(ctx: Ctx, { numbers, row, ...input }: Whom & PreviewInput): Promise<number> {
  const { cli, campaignName = '' } = input
  const flow = await transactionWithAgents(ctx, async (tx) => {
    const problems = new Problems()
    const read = await problems.of(() => flowOfInput(tx, ctx.viewer, input))
    if (cli === undefined) problems.add([{ field: 'cli', code: 'required', text: 'is required' }])
    problems.refuseIfAny()
    if (!read) throw new Error('a test passed its checks without a flow')
    return read
  })
  return await testWith(ctx, { ...flow, name: campaignName, cli: cli ?? '', campaignId: null }, { numbers, row })
}

export async function testCampaign(ctx: Ctx, campaignId: number, whom: Whom): Promise<number> {
  const { app, viewer } = ctx
  await refuseDeleted(app.db, 'calls', campaignId)
  const own = await store.findCampaign(app.db, ownScope(viewer), campaignId)
  if (!own) throw new AppError('not_found')
  const flow = await app.db.transaction().execute((tx) => flowOfCampaign(tx, viewer, campaignId))
  return await testWith(ctx, { ...flow, ...own, campaignId }, whom)
}

/** A campaign of its own: charged, capped and checked like any other, but in no list and no count. */
async function testWith(ctx: Ctx, tested: Tested, { numbers, row: line }: Whom): Promise<number> {
  const { app, viewer } = ctx
  const { phones, errors } = readNumbers(numbers)
  if (errors.length > 0) throw new AppError('bad_input', errors)
  const { baseId, templateId, flow, keyLabels } = tested
  const { row, dateOrders } = await rowOfBase(ctx, { baseId, templateId, line })
  if (!('phone' in row)) throw badField('row', `cannot be called: ${row.reason}`, 'refused')
  const { values } = row
  return withFiles(app, async (tx) => {
    const cli = await requireCli(tx, viewer.userId, tested.cli)
    const chain = await priceChain(tx, viewer.userId)
    await requireRoom(tx, viewer.userId)
    await requireFree(tx, viewer.userId, phones, 'numbers')
    const testId = await insertSingleCalls(tx, app, {
      ownerId: viewer.userId,
      name: nameOf(tested.name),
      numbers: phones,
      values,
      dateOrders,
      line: cli,
      chain,
      flow,
      keyLabels,
      now: app.clock.now(),
      beginWithinMs,
      ringSeconds: null,
      of: tested.campaignId,
      isCallNow: false,
      field: 'numbers',
    })
    const of = tested.campaignId === null ? {} : { campaign: tested.campaignId }
    await audit(tx, ctx, 'campaign.test', `campaign ${testId}`, { name: tested.name, numbers: phones.length, ...of })
    return testId
  })
}

function nameOf(name: string): string {
  return name === '' ? 'Test call' : `Test call: ${name}`.slice(0, 100)
}

async function requireRoom(tx: Tx, ownerId: number): Promise<void> {
  await store.lockTests(tx, ownerId)
  const { unfinished, lately } = await store.testsOf(tx, ownerId)
  if (unfinished >= testsAtOnceMax)
    throw conflict('numbers', 'must wait: two test calls of yours are under way', 'too_many')
  if (lately >= testsPerHourMax) {
    const text = `must wait: ${testsPerHourMax} test calls were begun within an hour`
    throw new AppError('throttled', [{ field: 'numbers', code: 'too_many', text }], { retryAfterSeconds: 600 })
  }
}

/** Someone is waiting at the telephone, so a number that cannot be called now is refused at once. One that is called in between waits its turn. */
export async function requireFree(tx: Tx, ownerId: number, phones: readonly string[], field: string): Promise<void> {
  await requireFreeWithin(tx, ownerId, phones, { field, caps: await settingOf(tx, 'numberCaps') })
}

/** An agent's number obeys the cap of all accounts together, and none of its own. */
export async function requireAgentFree(tx: Tx, ownerId: number, phone: string, field: string): Promise<void> {
  const { platform } = await settingOf(tx, 'numberCaps')
  await requireFreeWithin(tx, ownerId, [phone], { field, caps: { answered: platform, attempted: platform, platform } })
}

async function requireFreeWithin(
  tx: Tx,
  ownerId: number,
  phones: readonly string[],
  { field, caps }: { field: string; caps: Setting<'numberCaps'> },
): Promise<void> {
  for (const { phone, busy, had } of await store.numbersInTheWay(tx, ownerId, phones, caps))
    throw conflict(field, whyNumberWaits(nationalOf(String(phone)), busy ? 0 : had), 'number')
}

export async function testCall({ app, viewer }: Ctx, testId: number): Promise<TestCall> {
  const test = await store.findTest(app.db, ownScope(viewer), testId)
  if (!test) throw new AppError('not_found')
  const [calls, lines, labels] = await Promise.all([
    store.callsOf(app.db, testId),
    store.linesOf(app.db, testId),
    keyLabelsOf(app.db, [testId]),
  ])
  const keyLabels = labels.get(testId) ?? {}
  const names = await namesOfPrompts(app.db, promptsPlayed(lines))
  return testCallOf(test, { flow: Flow.parse(test.flow), keyLabels, calls, lines }, names)
}

export async function stopTestCall(ctx: Ctx, testId: number): Promise<void> {
  const { app, viewer } = ctx
  const scope = ownScope(viewer)
  await app.db.transaction().execute(async (tx) => {
    await actAs(tx, viewer.userId)
    const stopped = await store.stopTest(tx, scope, testId)
    if (!stopped && !(await store.findTest(tx, scope, testId))) throw new AppError('not_found')
    if (!stopped) throw conflict('testId', 'is over', 'status')
    await audit(tx, ctx, 'campaign.test.stop', `campaign ${testId}`)
  })
}
