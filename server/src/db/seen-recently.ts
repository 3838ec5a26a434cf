import { sql } from 'kysely'

/** Whether a state is recent: the holder of a dialer's lease wrote it a moment ago. `dialer` is in the query. */
export const isSeenRecently = (seenAt: 'dialer_state.seen_at' | 'trunk_state.seen_at') => sql<boolean>`
  ${sql.ref(seenAt)} > now() - interval '10 seconds'
  and exists (select from dialer_lease l where l.dialer_id = dialer.id and l.expires_at > now())`
