import type { UsageQuery, UsageRecord, UsageTotal } from '@fairlead/core/stores'
import { sql } from 'kysely'
import { purge } from '../sql/record-table.ts'
import type { Database } from '../sql/schema.ts'
import { sumNames, toSums } from './usage-sums.ts'

const dayMs = 24 * 3_600_000

const keyNames = ['user_id', 'tag', 'day', 'value'] as const

/** Adds a run to the sums of its tags. They are sorted, because transactions that lock rows in another order could deadlock. */
export async function addToTags(
  db: Database,
  record: UsageRecord,
  tags: Readonly<Record<string, string>>,
): Promise<void> {
  const { userId, requests, errors, charged, promptTokens, completionTokens, costUsd, at } = toSums(record)
  const rows = Object.entries(tags)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([tag, value]) => ({
      user_id: userId,
      tag,
      day: at - (at % dayMs),
      value,
      requests,
      errors,
      charged,
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      cost_usd: costUsd,
    }))
  if (rows.length === 0) return
  const raised = Object.fromEntries(
    sumNames.map((name) => [name, sql<number>`${sql.ref(`usage_tags.${name}`)} + ${sql.ref(`excluded.${name}`)}`]),
  )
  await db
    .insertInto('usage_tags')
    .values(rows)
    .onConflict((conflict) => conflict.columns([...keyNames]).doUpdateSet(raised))
    .execute()
}

const expressions = { day: 'day', user: 'user_id', value: 'value' } as const

type TagDimension = keyof typeof expressions

interface Row extends Record<(typeof sumNames)[number], number> {
  readonly day?: number
  readonly user?: string
  readonly value?: string
}

export async function totalTags(
  db: Database,
  { userId, from, to, by }: UsageQuery,
  { name, value }: NonNullable<UsageQuery['tag']>,
): Promise<UsageTotal[]> {
  const dimensions = by.filter((dimension): dimension is TagDimension => dimension in expressions)
  const named = dimensions.map((dimension) => sql`${sql.ref(expressions[dimension])} as ${sql.id(dimension)}`)
  const sums = sumNames.map((each) => sql`sum(${sql.ref(each)}) as ${sql.id(each)}`)
  const ofUser = userId === undefined ? sql`` : sql`and user_id = ${userId}`
  const ofValue = value === undefined ? sql`` : sql`and value = ${value}`
  const grouping = dimensions.map((dimension) => sql.ref(expressions[dimension]))
  const { rows } = await sql<Row>`
    select ${sql.join([...named, ...sums])} from usage_tags
    where tag = ${name} and day >= ${from} and day < ${to} ${ofUser} ${ofValue}
    ${grouping.length > 0 ? sql`group by ${sql.join(grouping)}` : sql`having count(*) > 0`}
  `.execute(db)
  return rows.map(({ day, user, value: found, requests, errors, charged, ...others }) => ({
    ...(day !== undefined && { day }),
    ...(user !== undefined && { user }),
    ...(found !== undefined && { value: found }),
    requests,
    errors,
    charged,
    promptTokens: others.prompt_tokens,
    completionTokens: others.completion_tokens,
    costUsd: others.cost_usd,
    latencies: [],
    firstTokens: [],
  }))
}

/** Deletes the sums of days before that instant. */
export function purgeTags(db: Database, before: number, limit: number): Promise<number> {
  return purge(db, { from: 'usage_tags', key: [...keyNames], by: 'day' }, before, limit)
}
