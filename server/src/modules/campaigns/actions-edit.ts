import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { badField } from '../../errors.ts'
import { endOf, startOf, type Doing } from './rules.ts'

export { rename } from './store-edit.ts'

/** `notAfter`: a person chose the end; otherwise it is the platform's last day. */
export type Times = { startAt: Date; endAt: Date; notAfter: boolean }

type Asked = { scheduleTime?: string | undefined; notAfter?: string | undefined }
type With = { now: Date; doing: Doing; lastDayOf: (start: Date) => Promise<Date> }

/** The times of a campaign that has not begun, once it is changed. An end of its own moves with the start, unless it is changed as well. */
export async function editedTimes(asked: Asked, before: Times, { now, doing, lastDayOf }: With): Promise<Times> {
  const startAt = asked.scheduleTime === undefined ? before.startAt : startOf(asked.scheduleTime, now)
  if (typeof startAt === 'string') throw badField('scheduleTime', startAt)
  const lastDay = await lastDayOf(startAt)
  const end = asked.notAfter ?? (before.notAfter ? movedEnd(before, startAt) : 'none')
  const endAt = endOf(end === 'none' ? undefined : end, startAt, lastDay, doing)
  if (typeof endAt === 'string') throw badField('notAfter', endAt)
  return { startAt, endAt, notAfter: end !== 'none' }
}

function movedEnd({ startAt, endAt }: Times, to: Date): string {
  return nepalTimeOf(new Date(endAt.getTime() + to.getTime() - startAt.getTime()))
}
