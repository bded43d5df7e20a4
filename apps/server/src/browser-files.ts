import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of other packages that the service sends to browsers. */
export const browserFiles = [
  '@graphql-yoga/graphiql/dist/graphiql.css',
  '@graphql-yoga/graphiql/dist/monacoeditorwork/editor.worker.bundle.js',
  '@graphql-yoga/graphiql/dist/monacoeditorwork/graphql.worker..bundle.js',
  '@graphql-yoga/graphiql/dist/monacoeditorwork/json.worker.bundle.js',
  '@graphql-yoga/graphiql/dist/yoga-graphiql.umd.js',
  'swagger-ui-dist/favicon-32x32.png',
  'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui-dist/swagger-ui.css',
] as const

/** Their licenses, which accompany every copy. */
export const browserLicenses = [
  '@graphql-yoga/graphiql/LICENSE',
  'swagger-ui-dist/LICENSE',
  'swagger-ui-dist/NOTICE',
  'swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
] as const

const packedFiles = join(import.meta.dirname, 'browser')

/**
 * The published package has copies, because the packages and their dependencies are 160 MB; a clone has them at its
 * root.
 */
const folder = existsSync(packedFiles) ? packedFiles : join(import.meta.dirname, '../../../node_modules')

/** Reads a file of another package. */
export function readBrowserFile(file: (typeof browserFiles)[number]): Promise<Buffer> {
  return readFile(join(folder, file))
}
