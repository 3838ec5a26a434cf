/** What an account's state says to its campaigns. */
export type AccountState = {
  expired: boolean
  /** The account that stops this campaign because it is not live. Null: none does. */
  stopped_by: 'itself' | 'above' | null
  /** Why the campaign's own account is disabled. A reason given for an account above is not for its users. */
  disabled_reason: string | null
  /** Which account of the path is frozen, this one first. Null: none. */
  frozen: 'itself' | 'above' | null
}

/** Of account a and its user u, with `stoppers` joined. */
export const accountState = `coalesce(u.expires_at <= now(), false) as expired,
  case when s.stopper_id = u.id then 'itself' when s.stopper_id is not null then 'above' end as stopped_by,
  case when s.stopper_id = u.id then coalesce(u.frozen_reason, s.stop_reason) end as disabled_reason,
  case when u.frozen_at is not null then 'itself' when a.frozen then 'above' end as frozen`

export const stoppers = 'left join lateral account_stopped_by(u.path) s on true'

export const accountWords = {
  expired: 'the account has expired',
  disabled: (reason: string | null) => (reason ? `the account is disabled: ${reason}` : 'the account is disabled'),
  disabledAbove: 'an account above its owner is disabled',
  frozen: (reason: string | null) => (reason ? `the account is frozen: ${reason}` : 'the account is frozen'),
  frozenAbove: 'an account above its owner is frozen',
}

/** Why the account is not live. Null: it is. */
export function stoppedReason({ stopped_by, disabled_reason, frozen }: AccountState): string | null {
  if (stopped_by === null) return null
  const { disabled, disabledAbove, frozen: isFrozen, frozenAbove } = accountWords
  if (frozen !== null) return frozen === 'itself' ? isFrozen(disabled_reason) : frozenAbove
  return stopped_by === 'itself' ? disabled(disabled_reason) : disabledAbove
}
