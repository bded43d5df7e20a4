import { userInfo } from 'node:os'
import { Client } from 'pg'

/**
 * The server for tests: the one that `TEST_DATABASE_URL` names, else one at 127.0.0.1:5432 that lets in this user or
 * `postgres` without a password. Undefined, with a warning, if there is none; an error in CI.
 */
export async function findPostgres(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  const named = environment['TEST_DATABASE_URL']
  if (named) {
    const refusal = await findRefusal(named)
    if (refusal) throw new Error(`TEST_DATABASE_URL names a PostgreSQL that cannot be used: ${refusal}`)
    return named
  }
  for (const user of [userInfo().username, 'postgres']) {
    const url = `postgres://${encodeURIComponent(user)}@127.0.0.1:5432/postgres`
    if (!(await findRefusal(url))) return url
  }
  const lack = 'no PostgreSQL at 127.0.0.1:5432, and TEST_DATABASE_URL names none'
  if (environment['CI'] === 'true') throw new Error(`CI tests every store: ${lack}.`)
  process.stderr.write(`\n*** SKIPPED: the tests against PostgreSQL (${lack}). ***\n\n`)
  return undefined
}

async function findRefusal(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error)
  } finally {
    await client.end()
  }
}
