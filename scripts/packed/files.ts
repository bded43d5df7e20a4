import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The faults of a packed package's files, as sentences. */
export function faultyFiles(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => !/node_modules/.test(file))
  return [
    ...['README.md', 'LICENSE'].filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
    ...files.filter(needsNoPublishing).map((file) => `${file} needs no publishing`),
    ...files.filter((file) => file.endsWith('.js')).flatMap((file) => sourcePathsIn(folder, file)),
  ]
}

/** The projects that `npm create` makes have tests. */
function needsNoPublishing(file: string): boolean {
  return /\.(map|test\.\w+|tsbuildinfo)$/.test(file) && !/^template[\\/]/.test(file)
}

/** The build rewrites `.ts` in imports, but not in `new URL('./worker.ts', import.meta.url)`. */
function sourcePathsIn(folder: string, file: string): readonly string[] {
  const [found] = /new URL\(\s*['"`][^'"`]*\.ts['"`]/.exec(readFileSync(join(folder, file), 'utf8')) ?? []
  return found ? [`${file} asks for a source that is not packed: ${found}`] : []
}
