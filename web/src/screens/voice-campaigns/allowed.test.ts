import { campaignStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { expect, test } from 'vitest'
import * as english from '../../i18n/en/voice-campaigns.ts'
import { actionOf, campaignMenu } from './actions.tsx'
import { isOnlyInvalidLeft, refusalOf, rowActions, type RowAction } from './allowed.ts'
import { campaign } from './fixtures.ts'
import { pauseOrResume } from './pause-or-resume.ts'

/** What an owner may do in each status; everything else is refused. Downloads, Duplicate and Details are always possible. */
const always: RowAction[] = [
  'generateReport',
  'downloadReport',
  'summaryPdf',
  'summaryMail',
  'duplicate',
  'saveSetup',
  'exportRows',
  'details',
]
const ownerMay: Record<CampaignStatus, RowAction[]> = {
  processing: ['stop', 'edit'],
  ready: ['pause', 'stop', 'edit'],
  running: ['pause', 'stop'],
  pausing: ['resume', 'stop'],
  paused: ['resume', 'stop'],
  resuming: ['stop'],
  cancelling: [],
  cancelled: ['newFrom', 'archive', 'delete'],
  lowBalance: ['stop'],
  onHold: ['resume', 'stop'],
  complete: ['retry', 'newFrom', 'archive', 'delete'],
  refused: ['newFrom', 'archive', 'delete'],
  failed: ['newFrom', 'archive', 'delete'],
}

test.each(campaignStatuses)('the owner of a campaign that is %s', (status) => {
  const may = rowActions.filter((action) => refusalOf(action, campaign(status), 'user') === null)
  expect(new Set(may)).toEqual(new Set([...ownerMay[status], ...always]))
})

test.each(campaignStatuses)('above the owner of a campaign that is %s: pause and stop only', (status) => {
  for (const role of ['reseller', 'superAdmin'] as const) {
    const may = rowActions.filter((action) => refusalOf(action, campaign(status), role) === null)
    const stop = ownerMay[status].filter((action) => action === 'stop')
    const state: RowAction[] = status === 'processing' || stop.length === 0 ? stop : ['pause', ...stop]
    expect(new Set(may)).toEqual(
      new Set([...state, 'generateReport', 'downloadReport', 'summaryPdf', 'exportRows', 'details']),
    )
  }
})

test('a campaign that somebody above paused is offered to go on, not to be paused once more', () => {
  const context = { role: 'reseller', t: english.texts, go: () => undefined } as const
  const [held, running] = [campaign('onHold', { heldBy: 'administrator' }), campaign('running')]
  const frequent = (row: typeof held) =>
    campaignMenu(row, context).filter(({ icon, disabledReason }) => icon && !disabledReason)
  expect(frequent(held).map(({ label }) => label)).toEqual(['Resume', 'Stop', 'Download Report'])
  expect(frequent(running).map(({ label }) => label)).toEqual(['Pause', 'Stop', 'Download Report'])
  expect(pauseOrResume(held, context).label).toBe('Resume')
  expect(pauseOrResume(running, context).label).toBe('Pause')
})

test.each([
  { why: 'still being read', action: 'pause', status: 'processing', refusal: 'pauseNotRunning' },
  { why: 'it runs', action: 'resume', status: 'running', refusal: 'resumeNotPaused' },
  { why: 'over', action: 'stop', status: 'complete', refusal: 'stopOver' },
  { why: 'asked already', action: 'stop', status: 'cancelling', refusal: 'stopUnderWay' },
  { why: 'not over', action: 'retry', status: 'running', refusal: 'retryNotComplete' },
  { why: 'cancelled is not complete', action: 'retry', status: 'cancelled', refusal: 'retryNotComplete' },
] as const)('$action of a campaign that is $status is refused: $why', ({ action, status, refusal }) =>
  expect(refusalOf(action, campaign(status), 'user')).toBe(refusal),
)

test('a campaign is retried once, and only while somebody did not answer', () => {
  const over = { numbersUploaded: 100, dndCount: 0, numbersProcessed: 100 }
  expect(refusalOf('retry', campaign('complete', { ...over, callsConnected: 99 }), 'user')).toBeNull()
  expect(refusalOf('retry', campaign('complete', { ...over, callsConnected: 99, isRetry: 1 }), 'user')).toBe(
    'retriedAlready',
  )
  expect(refusalOf('retry', campaign('complete', { ...over, callsConnected: 100 }), 'user')).toBe('retryNobody')
  expect(refusalOf('retry', campaign('complete'), 'reseller')).toBe('retryOwner')
})

test('a retry that the server would refuse is disabled with its reason; when only INVALID numbers are left, they are included', () => {
  const over = { numbersUploaded: 100, dndCount: 0, numbersProcessed: 100, callsConnected: 90 }
  const retryFault = "plays the voice file 'menu', which is deleted"
  const refused = campaign('complete', { ...over, retryFault })
  expect(refusalOf('retry', refused, 'user')).toBe('retryFault')
  const { texts: t } = english
  const { disabledReason } = actionOf('retry', refused, { role: 'user', t, go: () => undefined })
  expect(disabledReason).toBe(`${t.labels.campaignId} ${retryFault}`)
  const invalid = (count: number) => campaign('complete', { ...over, outcomes: { ANSWER: 90, INVALID: count } })
  expect([invalid(10), invalid(9), invalid(0)].map(isOnlyInvalidLeft)).toEqual([true, false, false])
})

test('the owner cannot resume an administrator’s pause, and administrators can resume only that', () => {
  const held = campaign('onHold', { heldBy: 'reseller' })
  expect(refusalOf('resume', held, 'user')).toBe('resumeHeld')
  expect(refusalOf('resume', held, 'superAdmin')).toBeNull()
  expect(refusalOf('resume', campaign('onHold'), 'superAdmin')).toBe('resumeOwner')
  expect(refusalOf('resume', campaign('paused'), 'reseller')).toBe('resumeOwner')
})

test.each([
  { reportStatus: undefined, refusal: null },
  { reportStatus: '0', refusal: 'reportBeingMade' },
  { reportStatus: '1', refusal: 'reportBeingMade' },
  { reportStatus: '2', refusal: null },
])('reports with reportStatus $reportStatus: $refusal', ({ reportStatus, refusal }) => {
  const row = campaign('complete', reportStatus === undefined ? {} : { reportStatus })
  expect(refusalOf('generateReport', row, 'user')).toBe(refusal)
  expect(refusalOf('downloadReport', row, 'user')).toBe(refusal)
})

test('an unknown status allows no change', () => {
  const strange = { ...campaign('running'), campaignStatus: 99 }
  expect(rowActions.filter((action) => refusalOf(action, strange, 'user') === null)).toEqual(always)
})
