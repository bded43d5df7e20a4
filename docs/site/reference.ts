import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeGraphqlReference } from './graphql-reference.ts'
import { writePackageReference } from './package-reference.ts'
import { writeRestReference } from './rest-reference.ts'

/**
 * Writes the pages of `docs/reference`. The pages of packages take seconds, so `keepPackages` leaves them if they
 * exist.
 */
export async function writeReference(root: string, { keepPackages = false } = {}): Promise<void> {
  const folder = join(root, 'docs/reference')
  writeRestReference(join(root, 'docs/openapi.json'), join(folder, 'rest'))
  writeGraphqlReference(join(root, 'packages/graphql-adapter/src/schema/schema.graphql'), join(folder, 'graphql'))
  const packages = join(folder, 'packages')
  if (!keepPackages || !existsSync(packages)) await writePackageReference(root, packages)
}
