// npm run check -- --size: the files and lines of production code, and the files over 300 lines.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const isProduction = (path: string) =>
  /^(packages|apps)\/.*\.ts$/.test(path) &&
  !/\.(test|d)\.ts$|\/testing\/|\/fakes\/|\/evaluation\/|\/tiny-model\/|^packages\/providers\/local\//.test(path)

/** Tables, migrations, and generated types are exempt from the limit. */
const isTable = (path: string) => /\/(migrations|publishers)\/|(common-passwords|methods|webhook-event)\.ts$/.test(path)

export function printSize(): void {
  const paths = execFileSync('git', ['ls-files', '--', 'packages', 'apps'], { encoding: 'utf8' }).split('\n')
  const files = paths.filter(isProduction).map((path) => ({ path, lines: linesOf(path) }))
  console.log(`${files.length} files, ${files.reduce((sum, { lines }) => sum + lines, 0)} lines`)
  for (const { path, lines } of files) if (lines > 300 && !isTable(path)) console.log(`${lines} lines: ${path}`)
}

function linesOf(path: string): number {
  return readFileSync(path, 'utf8').split('\n').length - 1
}
