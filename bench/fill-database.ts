// Fills a database on PostgreSQL as 90 days of use do: usage records and their sums, events, and deliveries.
import type { Clock } from '@fairlead/core'
import type { Stores } from '@fairlead/testing/workspace'
import type { TestDatabase } from '@fairlead/storage/testing'

export interface Sizes {
  readonly usageRecords: number
  readonly events: number
}

export interface Filled {
  /** Makes half of the calls. */
  readonly busyUser: string
  /** Makes about one call a day. */
  readonly rareUser: string
  readonly webhookId: string
}

const days = 90
const dayMs = 86_400_000
const userCount = 200

/** The id with that number among all ids of an instant, in SQL. */
const idAt = (prefix: string, at: string, number: string) =>
  `'${prefix}_' || (cast(${at} as numeric) * 1208925819614629174706176 + ${number})`

/**
 * Moves the clock through 90 days, so that the stores create a partition for each month, and fills these days.
 *
 * @param stores use the same clock
 */
export async function fillDatabase(
  database: TestDatabase,
  stores: Stores,
  clock: Clock & { advance(ms: number): void },
  { usageRecords, events, webhookOwner }: Sizes & { readonly webhookOwner: string },
): Promise<Filled> {
  const start = clock.now()
  const idOf = (prefix: string, number: number) => `${prefix}_${(BigInt(start) << 80n) + BigInt(number)}`
  for (let day = 0; day < days; day++) {
    await stores.transact((tx) => tx.usage.purge(0, 1))
    await stores.transact((tx) => tx.events.purge(0, 1))
    clock.advance(dayMs)
  }
  const userOf = (number: string) => `case
    when ${number} % ${Math.ceil(usageRecords / days)} = 1 then ${userCount - 1}
    when ${number} % 2 = 0 then 0
    else 1 + ${number} % ${userCount - 2}
  end`
  const user = idAt('usr', String(start), 'user_number')
  const key = idAt('key', String(start), '(user_number * 2 + number / 2 % 2)')
  const webhookId = idOf('whk', 0)

  await database.query(`
    insert into users (id, email, name, role, tier, status, created_at, updated_at)
    select ${user}, 'user-' || user_number || '@example.com', 'User ' || user_number, 'member', 'enterprise', 'active',
      ${start}, ${start}
    from generate_series(0, ${userCount - 1}) as user_number;
    insert into api_keys (id, user_id, name, prefix, secret_hash, scopes, created_at)
    select ${idAt('key', String(start), 'key_number')}, ${idAt('usr', String(start), 'key_number / 2')},
      'key ' || key_number, 'fl_' || key_number, 'hash ' || key_number, '[]', ${start}
    from generate_series(0, ${userCount * 2 - 1}) as key_number;
    insert into webhooks (id, user_id, url, events, all_users, enabled, secret, created_at, updated_at, version)
    values ('${webhookId}', '${webhookOwner}', 'https://example.com/', '["*"]', 0, 1, '', ${start}, ${start}, 1)
  `)
  await timed(`${usageRecords} usage records`, () =>
    database.query(`
      insert into usage_records (run_id, request_id, user_id, counter, operation, at, duration_ms, outcome, charged, model,
        provider, prompt_tokens, completion_tokens, cost_usd, reasoning_tokens, cached_prompt_tokens, stream, cached)
      select ${idAt('run', 'at', 'number')}, ${idAt('req', 'at', 'number')}, ${user}, ${key},
        case when number % 20 = 3 then 'analyze' else 'generate' end, at, 100 + number % 900,
        case when number % 100 = 7 then 'PROVIDER_ERROR' else 'ok' end, case when number % 100 = 7 then 0 else 1 end,
        'upstream/model-' || case user_number when 0 then number % 5 else user_number % 5 end, 'upstream', 20 + number % 100, 50 + number % 300, 0.0001 * (number % 50),
        0, 0, number % 3 / 2, 0
      from (
        select number, ${start} + number * ${days * dayMs - 1} / ${usageRecords} as at, ${userOf('number')} as user_number
        from generate_series(cast(1 as bigint), ${usageRecords}) as number
      ) as calls
    `),
  )
  await timed('the sums of usage', () =>
    database.query(
      (['hour', 'day'] as const)
        .map(
          (span) => `
            insert into usage_${span}s (user_id, ${span}, counter, operation, model, requests, errors, charged,
              prompt_tokens, completion_tokens, cost_usd, latency_12)
            select user_id, at - at % ${span === 'hour' ? 3_600_000 : dayMs}, counter, operation, model, count(*),
              count(*) filter (where outcome <> 'ok'), sum(charged), sum(prompt_tokens), sum(completion_tokens),
              sum(cost_usd), count(*)
            from usage_records group by 1, 2, 3, 4, 5 order by 2`,
        )
        .join(';'),
    ),
  )
  await timed(`${events} events`, async () => {
    // The order of events depends on their transactions.
    const perTransaction = Math.ceil(events / 100)
    for (let first = 1; first <= events; first += perTransaction) {
      await database.query(`
        insert into events (id, type, user_id, resource_id, created_at, data)
        select ${idAt('evt', 'at', 'number')},
          case
            when number % 1000 = 1 then 'quota.warning'
            when number % 4 = 0 then 'shipment.created'
            else 'shipment.updated'
          end,
          ${user}, ${idAt('shp', String(start), 'number / 4')}, at,
          '{"id":"' || number || '","status":"in_transit","notes":"' || repeat('n', 200) || '"}'
        from (
          select number, ${start} + number * ${days * dayMs - 1} / ${events} as at, ${userOf('number')} as user_number
          from generate_series(cast(${first} as bigint), ${Math.min(first + perTransaction - 1, events)}) as number
        ) as changes
      `)
    }
  })
  await timed('the deliveries of a quarter of them', () =>
    database.query(`
      insert into deliveries (id, webhook_id, event_id, event_type, status, attempts, tries, next_attempt_at, created_at, updated_at)
      select 'dlv' || substr(id, 4), '${webhookId}', id, type,
        case when created_at % 100 = 1 then 'failed' when created_at % 1000 = 2 then 'pending' else 'delivered' end,
        '[]', 1, case when created_at % 1000 = 2 then created_at end, created_at, created_at
      from events where type = 'shipment.created'
    `),
  )
  // The server analyzes and vacuums by itself only some time after many rows were added.
  await timed('vacuum', () => database.query('vacuum analyze'))
  return { busyUser: idOf('usr', 0), rareUser: idOf('usr', userCount - 1), webhookId }
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await work()
  console.log(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
