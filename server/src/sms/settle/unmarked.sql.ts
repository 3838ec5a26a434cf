import { arraysOf, run, statement, type Queryable } from '../../dispatch/statement.ts'

/** What somebody wrote who claims that it is the receipt of a message. */
export type Claim = {
  /** Each form in which the id may be stored. */
  idKeys: readonly string[]
  /** Of the writer, 977 and the national digits; null when it is no number that gets messages. */
  phone: number | null
}

const oursStatement = statement<{ n: number; id_key: string }>(
  'sms_unmarked_receipts',
  `select distinct on (t.n) t.n, t.id_key
from unnest($2::int[], $3::text[], $4::bigint[]) as t (n, id_key, phone)
where exists (
    select
      from sms_segment_id g
      join sms_message m on m.campaign_id = g.campaign_id and m.no = g.no
     where g.gateway_id = $1 and g.id_key = t.id_key and m.phone = t.phone
    offset 0)
  or exists (
    select
      from sms_gateway_test x
     where x.gateway_id = $1 and x.state = 'submitted' and x.id_keys @> array[t.id_key] and x.phone = t.phone
    offset 0)
order by t.n`,
)

/** For each claim the key of the message to its writer that it names; null when there is none, so that it is no receipt. */
export async function keysOfOurs(
  db: Queryable,
  gatewayId: number,
  claims: readonly Claim[],
): Promise<(string | null)[]> {
  const named = claims.flatMap(({ idKeys, phone }, n) =>
    phone === null ? [] : idKeys.map((key) => ({ n, key, phone })),
  )
  const found = new Map<number, string>()
  if (named.length > 0) {
    const columns = arraysOf(named, 'n', 'key', 'phone')
    for (const { n, id_key: key } of await run(db, oursStatement, [gatewayId, ...columns])) found.set(n, key)
  }
  return claims.map((_, n) => found.get(n) ?? null)
}
