/** For tests of other packages: reads database files, and creates databases on a real PostgreSQL. Not published. */
export { inspectDatabase, queryFile } from './testing/inspect-database.ts'
export { damageTable } from './testing/damage-file.ts'
export { findPostgres } from './testing/find-postgres.ts'
export { createTestDatabase } from './testing/test-database.ts'
export { breakableLink } from './testing/breakable-link.ts'
export type { Inspection } from './testing/inspect-database.ts'
export type { TestDatabase } from './testing/test-database.ts'
export type { BreakableLink } from './testing/breakable-link.ts'
