import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './say.mjs'

/**
 * Writes the types of the API, with which the dashboard compiles, from docs/openapi.json, unless they are already written
 * from the document as it is. A failure is only reported: the tests run without the types, and tell more about the document.
 * @param {string} root
 * @param {string} node
 * @param {(node: string, root: string, document: string) => string} generate
 */
export function writeApiTypes(root, node, generate = runOpenapiTypescript, print = say) {
  const source = join(root, 'docs', 'openapi.json')
  const types = join(root, 'apps', 'dashboard', 'src', 'api', 'schema.d.ts')
  if (!existsSync(source)) return
  const document = readFileSync(source, 'utf8')
  const lock = readFileSync(join(root, 'pnpm-lock.yaml'))
  const stamp = `// Generated from docs/openapi.json: ${createHash('sha256').update(document).update(lock).digest('hex')}\n`
  if (existsSync(types) && readFileSync(types, 'utf8').startsWith(stamp)) return
  // Another command may write or read the types at the same time.
  const fresh = `${types}-${process.pid}`
  try {
    writeFileSync(fresh, stamp + generate(node, root, JSON.stringify(withoutExamples(JSON.parse(document)))))
    renameSync(fresh, types)
  } catch (error) {
    print(`the types of the API could not be generated from docs/openapi.json\n${error}`)
  } finally {
    rmSync(fresh, { force: true })
  }
}

/**
 * The types would repeat the examples in comments.
 * @type {(value: unknown) => unknown}
 */
function withoutExamples(value) {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => name !== 'examples')
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutExamples(each)]))
}

/** @type {(node: string, root: string, document: string) => string} */
function runOpenapiTypescript(node, root, document) {
  // It needs TypeScript 5, which only the example has.
  const folder = join(root, 'examples', 'typed-client', 'node_modules', 'openapi-typescript')
  const cli = join(folder, 'bin', 'cli.js')
  const options = { cwd: root, input: document, encoding: /** @type {const} */ ('utf8'), maxBuffer: 2 ** 26 }
  const { status, stdout, stderr, error } = spawnSync(node, [cli, '--default-non-nullable=false'], options)
  if (status !== 0 || error) throw error ?? new Error(stderr)
  return stdout
}
