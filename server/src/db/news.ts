import { sql } from 'kysely'

/** The holder of a dialer's lease wrote the state a moment ago. `dialer` is in the query. */
export const isNews = (seenAt: 'dialer_state.seen_at' | 'trunk_state.seen_at') => sql<boolean>`
  ${sql.ref(seenAt)} > now() - interval '10 seconds'
  and exists (select from dialer_lease l where l.dialer_id = dialer.id and l.expires_at > now())`
