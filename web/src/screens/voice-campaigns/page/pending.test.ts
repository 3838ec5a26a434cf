import { expect, test } from 'vitest'
import { campaign } from '../fixtures.ts'
import { pendingParts } from './pending.ts'

const none = { fresh: 0, inCall: 0, waiting: 0, retry: 0, retries: 2, nextDue: null }
const done = { numbersUploaded: 100, dndCount: 10, numbersProcessed: 90, pending: none }
const noon = '2026-11-20 12:00:00'
const waiting = campaign('running').pending
test.each([
  {
    why: 'never tried, in call, retry and when',
    row: campaign('running'),
    parts: [
      { kind: 'fresh', count: 0 },
      { kind: 'inCall', count: 24 },
      { kind: 'retry', retry: 2, retries: 3, count: 6_976 },
      { kind: 'next', at: '14:32' },
    ],
  },
  {
    why: 'the next retry is tomorrow',
    row: campaign('running', { pending: { ...waiting, nextDue: '2026-11-21 07:00:00' } }),
    parts: [
      { kind: 'fresh', count: 0 },
      { kind: 'inCall', count: 24 },
      { kind: 'retry', retry: 2, retries: 3, count: 6_976 },
      { kind: 'next', at: '2026-11-21 07:00' },
    ],
  },
  {
    why: 'the next retry is due already',
    row: campaign('running', { pending: { ...waiting, fresh: 3, nextDue: '2026-11-20 11:59:59' } }),
    parts: [
      { kind: 'fresh', count: 3 },
      { kind: 'inCall', count: 24 },
      { kind: 'retry', retry: 2, retries: 3, count: 6_976 },
      { kind: 'next', at: null },
    ],
  },
  {
    why: 'a campaign that was retried has no numbered retries',
    row: campaign('running', { isRetry: 1, pending: { ...waiting, retry: 4, retries: 0, nextDue: null } }),
    parts: [
      { kind: 'fresh', count: 0 },
      { kind: 'inCall', count: 24 },
      { kind: 'retryLater', count: 6_976 },
    ],
  },
  {
    why: 'nothing waits in a first round',
    row: campaign('ready', { pending: { ...none, fresh: 7_000 } }),
    parts: [{ kind: 'fresh', count: 7_000 }],
  },
  {
    why: 'while it is paused nobody is next',
    row: campaign('paused', { pending: { ...waiting, inCall: 0 } }),
    parts: [
      { kind: 'fresh', count: 0 },
      { kind: 'retry', retry: 2, retries: 3, count: 6_976 },
    ],
  },
  {
    why: 'while something holds it up nobody is next',
    row: campaign('running', {
      reason: 'outside calling hours, dials from 07:00',
      pending: { ...waiting, inCall: 0, nextDue: '2026-11-20 11:59:59' },
    }),
    parts: [
      { kind: 'fresh', count: 0 },
      { kind: 'retry', retry: 2, retries: 3, count: 6_976 },
    ],
  },
  {
    why: 'what a stopped campaign left undone',
    row: campaign('cancelled', { pending: { ...waiting, inCall: 0 } }),
    parts: [{ kind: 'stopped' }],
  },
  { why: 'nobody is pending', row: campaign('complete', done), parts: [] },
])('pending: $why', ({ row, parts }) => expect(pendingParts(row, noon)).toEqual(parts))
