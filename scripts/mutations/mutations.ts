/** A change of one line that breaks a promise of the service, and a test that must fail with it. */
export interface Mutation {
  readonly file: string
  /** Stands in the file exactly once. */
  readonly from: string
  readonly to: string
  readonly test: string
  /** Part of the title of the only test to run. Default: all of the file. */
  readonly title?: string
}

/** Lines that guard against known hazards: one for each kind of guard. */
export const mutations: readonly Mutation[] = [
  {
    file: 'packages/core/src/accounts/keys.ts',
    from: 'tx.users.take(account.userId))\n    await checkCount',
    to: 'tx.users.find(account.userId))\n    await checkCount',
    test: 'packages/storage/src/postgres/postgres-keys.test.ts',
  },
  {
    file: 'packages/core/src/runtime/validate.ts',
    from: "name === '__proto__' ?",
    to: "name === '__proto' ?",
    test: 'packages/core/src/runtime/validate.test.ts',
    title: 'rejects a field called __proto__',
  },
  {
    file: 'packages/core/src/runtime/validate.ts',
    from: 'if (path.length === maxDepth)',
    to: 'if (path.length === maxDepth * 1_000)',
    test: 'packages/core/src/runtime/validate.test.ts',
  },
  {
    file: 'packages/core/src/runtime/reply.ts',
    from: "return new FairleadError('INTERNAL_ERROR', 'Internal server error. Quote the request id when you contact support.')",
    to: "return new FairleadError('INTERNAL_ERROR', String(error))",
    test: 'packages/core/src/runtime/run.test.ts',
  },
  {
    file: 'packages/core/src/accounts/tokens.ts',
    from: ' || text.slice(-6) !== checksum(text.slice(0, -6))',
    to: '',
    test: 'packages/core/src/accounts/tokens.test.ts',
  },
  {
    file: 'packages/core/src/accounts/authenticator.ts',
    from: 'if (begunIn === epoch) entries.set',
    to: 'entries.set',
    test: 'packages/core/src/accounts/authenticator.test.ts',
  },
  {
    file: 'packages/core/src/accounts/authenticator.ts',
    from: 'if (endsAt !== null && endsAt <= now)',
    to: 'if (endsAt !== null && endsAt < now)',
    test: 'packages/core/src/accounts/authenticator.test.ts',
  },
  {
    file: 'packages/core/src/gateway/caching/cached-answers.ts',
    from: 'const code = mac(JSON.stringify([format, account, operation, places, request]))\n      return `${account}:',
    to: "const code = mac(JSON.stringify([format, '', operation, places, request]))\n      return `:",
    test: 'packages/core/src/gateway/caching/answer-cache.test.ts',
  },
  {
    file: 'packages/core/src/runtime/versions.ts',
    from: 'ifMatch.includes(version)',
    to: 'ifMatch.length > 0',
    test: 'packages/core/src/shipments/shipments.test.ts',
  },
  {
    file: 'packages/core/src/runtime/log.ts',
    from: '< intervalMs) return',
    to: '< 0) return',
    test: 'packages/core/src/runtime/log.test.ts',
  },
  {
    file: 'packages/storage/src/sql/sql-counters.ts',
    from: '${limit} >= counters.used + excluded.used)',
    to: '${limit} >= counters.used)',
    test: 'packages/storage/src/sqlite/sqlite-faults.test.ts',
    title: 'goes to one request alone',
  },
  {
    file: 'packages/storage/src/sql/sql-counters.ts',
    from: '${databaseClock(db)} < ${deadline})`',
    to: '${deadline} > 0)`',
    test: 'packages/storage/src/postgres/postgres-outages.test.ts',
    title: 'take no unit for them',
  },
  {
    file: 'packages/storage/src/sql/sql-counters.ts',
    from: "and period = ${slot('period')} and used > 0",
    to: 'and used > 0',
    test: 'packages/storage/src/sqlite/sqlite-faults.test.ts',
    title: 'is one for two nodes',
  },
  {
    file: 'packages/storage/src/blobs/disk-blobs.ts',
    from: '    await file.sync()\n',
    to: '',
    test: 'packages/storage/src/blobs/disk-blobs.test.ts',
  },
  {
    file: 'packages/storage/src/blobs/disk-blobs.ts',
    from: '    await syncDirectory(directory)\n',
    to: '',
    test: 'packages/storage/src/blobs/disk-blobs.test.ts',
  },
  {
    file: 'packages/storage/src/blobs/disk-blobs.ts',
    from: 'const safeName = /^[a-z]+_\\d+$/',
    to: 'const safeName = /[a-z]+_\\d+/',
    test: 'packages/storage/src/blobs/disk-blobs.test.ts',
  },
  {
    file: 'packages/storage/src/sqlite/transaction-queue.ts',
    from: "connection.prepare('begin immediate')",
    to: "connection.prepare('begin')",
    test: 'packages/storage/src/sqlite/sqlite-faults.test.ts',
    title: 'holds the write lock from its beginning',
  },
  {
    file: 'packages/storage/src/sqlite/transaction-queue.ts',
    from: 'tellAfter(durableOnes.some((job) => !job.failed) ? beginFlush() : flushBefore(), durableOnes, others)',
    to: 'tellAfter(undefined, durableOnes, others)',
    test: 'packages/storage/src/sqlite/transaction-queue.test.ts',
  },
  {
    file: 'packages/storage/src/sqlite/transaction-queue.ts',
    from: 'if (damaged) return',
    to: 'if (damaged && closed) return',
    test: 'packages/storage/src/sqlite/damaged-file.test.ts',
  },
  {
    file: 'packages/storage/src/postgres/circuit-breaker.ts',
    from: 'if (outages >= maxOutages || isSilence(error)) open(error)',
    to: 'if (outages >= maxOutages) open(error)',
    test: 'packages/storage/src/postgres/circuit-breaker.test.ts',
  },
  {
    file: 'packages/storage/src/postgres/circuit-breaker.ts',
    from: 'startedIn !== generation ||',
    to: '',
    test: 'packages/storage/src/postgres/circuit-breaker.test.ts',
  },
  {
    file: 'packages/storage/src/postgres/check-server.ts',
    from: "if (durable === 'off')",
    to: "if (durable === 'never')",
    test: 'packages/storage/src/postgres/postgres-outages.test.ts',
    title: 'refuse a server that acknowledges before it keeps',
  },
  {
    file: 'packages/cache/src/connect-redis.ts',
    from: '      socketTimeout: silenceMs,\n',
    to: '',
    test: 'packages/cache/src/redis-cache.test.ts',
    title: 'leaves a connection on which nothing comes any more',
  },
  {
    file: 'packages/cache/src/keyv-cache.ts',
    from: 'if (isUndecodable(error)) return undefined',
    to: '',
    test: 'packages/cache/src/redis-cache.test.ts',
    title: 'counts entries that cannot be decoded as misses',
  },
  {
    file: 'apps/server/src/secret-keys.ts',
    from: '(mode & 0o077) !== 0',
    to: '(mode & 0o007) !== 0 && mode === 0',
    test: 'apps/server/src/accounts.test.ts',
    title: 'is refused with a secret key that others can read',
  },
  {
    file: 'packages/core/src/accounts/adopt-secret-key.ts',
    from: 'if (isKept && (await tx.users.count()) === 0)',
    to: 'if (isKept && (await tx.users.count()) < 0)',
    test: 'apps/server/src/first-start.test.ts',
    title: 'where the database was replaced by an empty one',
  },
  {
    file: 'apps/server/src/health.ts',
    from: "return (await canWrite()) ? 'ready' : 'degraded'",
    to: "return 'ready'",
    test: 'apps/server/src/health.test.ts',
  },
  {
    file: 'packages/core/src/runtime/settlement.ts',
    from: 'if (first && bill.refund)',
    to: 'if (bill.refund)',
    test: 'packages/core/src/runtime/run.test.ts',
    title: 'gives the unit back once',
  },
  {
    file: 'packages/core/src/runtime/idempotency.ts',
    from: '  if (kept) return\n',
    to: '  if (kept !== undefined) return\n',
    test: 'packages/core/src/runtime/idempotency.test.ts',
    title: 'keeps one outcome',
  },
  {
    file: 'packages/core/src/gateway/routing/circuit.ts',
    from: 'Math.min(count, failures / 2)',
    to: 'count',
    test: 'packages/core/src/gateway/routing/circuits.test.ts',
  },
  {
    file: 'packages/passwords/src/argon2-passwords.ts',
    from: 'queue = 20,',
    to: 'queue = 21,',
    test: 'packages/passwords/src/argon2-passwords.test.ts',
    title: 'is refused beyond twenty in wait by default',
  },
  {
    file: 'packages/graphql-adapter/src/http/request-checks.ts',
    from: 'if (!isUtf8(body))',
    to: 'if (false)',
    test: 'packages/graphql-adapter/src/hostile-documents.test.ts',
    title: 'is rejected if the body is not valid UTF-8',
  },
  {
    file: 'packages/graphql-adapter/src/schema/nodes.ts',
    from: 'isCharged ||= type.load.metered',
    to: '',
    test: 'packages/graphql-adapter/src/records.test.ts',
    title: 'finds all records of a document together, for one unit',
  },
  {
    file: 'packages/graphql-adapter/src/errors.ts',
    from: 'export const maxErrors = 20',
    to: 'export const maxErrors = 25',
    test: 'packages/graphql-adapter/src/errors.test.ts',
    title: 'of variables is one of at most 20',
  },
  {
    file: 'apps/server/src/listen.ts',
    from: '  await quietTurn(() => arrived)\n',
    to: '',
    test: 'apps/server/src/faults/stop-under-load.test.ts',
    title: 'loses no request that was sent while the port was open',
  },
  {
    file: 'apps/server/src/http-server.ts',
    from: 'requestTimeout: 30_000',
    to: 'requestTimeout: 300_000',
    test: 'apps/server/src/http-server.test.ts',
    title: 'are those documented in docs/running.md',
  },
  {
    file: 'apps/server/src/http-server.ts',
    from: ' timeout: 180_000',
    to: ' timeout: 0',
    test: 'apps/server/src/http-server.test.ts',
    title: 'are those documented in docs/running.md',
  },
  {
    file: 'apps/server/src/http-server.ts',
    from: 'maxConnections: 12_000',
    to: 'maxConnections: 120_000',
    test: 'apps/server/src/http-server.test.ts',
    title: 'are those documented in docs/running.md',
  },
]
