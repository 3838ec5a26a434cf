import type { CampaignRow } from './snapshot.sql.ts'

/** What is left of some rows: how many were never tried, and the first one of their queue. */
export type Waiting = Pick<CampaignRow, 'fresh_left' | 'next_due_us' | 'next_due_no' | 'retry_due'>

/** The rows of one operator, in a campaign whose rows are numbered by operator. They have a cursor and a queue of their own. */
export type Stream = Waiting & {
  /** The operator's code at preparation (contract/src/operators.ts). */
  stream: number
  /** As in CampaignRow. */
  next_put_off: number | null
  /** Why its rows wait, as stored for the screens. */
  reason: string | null
}

export type Streamed = {
  /** Null: the campaign has one cursor and one queue, whose stream is 0. */
  streams?: readonly Stream[] | null
}

/** The streams with rows that may still be called. Where there are none, while the last calls are up: all streams. */
export function streamsWithRows(streams: readonly Stream[]): readonly Stream[] {
  const left = streams.filter(({ fresh_left, next_due_us }) => fresh_left > 0 || next_due_us !== null)
  return left.length > 0 ? left : streams
}

/** The campaign's rows by cursor: the streams, or the whole campaign as one. */
export function cursorsOf(campaign: CampaignRow): readonly (Waiting & { stream: number })[] {
  const { fresh_left, next_due_us, next_due_no, retry_due } = campaign
  return campaign.streams ?? [{ stream: 0, fresh_left, next_due_us, next_due_no, retry_due }]
}

/** Stands for a campaign, or for one operator's rows in it, where what their calls meet is remembered. */
export function cursorIdOf(campaignId: number, stream: number): number {
  return campaignId + stream * 2 ** 32
}

export function cursorIdsOf(campaign: CampaignRow): number[] {
  return cursorsOf(campaign).map(({ stream }) => cursorIdOf(campaign.id, stream))
}

export function mayBeCalled({ fresh_left, retry_due }: Waiting): boolean {
  return fresh_left > 0 || retry_due
}

export function onlyStream(campaign: CampaignRow, stream: Stream): CampaignRow {
  return { ...campaign, ...stream, reason: campaign.reason, streams: [stream] }
}

/** A campaign whose rows are numbered by operator, with what is left of all its streams together. */
export function withAllStreams(campaign: CampaignRow): CampaignRow {
  const { streams } = campaign
  if (!streams) return campaign
  const first = streams.filter(({ next_due_us }) => next_due_us !== null).toSorted(byDue)[0]
  return {
    ...campaign,
    fresh_left: streams.reduce((sum, { fresh_left }) => sum + fresh_left, 0),
    retry_due: streams.some(({ retry_due }) => retry_due),
    next_due_at: first ? new Date((first.next_due_us ?? 0) / 1000) : null,
    next_due_us: first?.next_due_us ?? null,
    next_due_no: first?.next_due_no ?? null,
    next_put_off: first?.next_put_off ?? null,
  }
}

const byDue = (one: Stream, other: Stream): number =>
  (one.next_due_us ?? 0) - (other.next_due_us ?? 0) || (one.next_due_no ?? 0) - (other.next_due_no ?? 0)
