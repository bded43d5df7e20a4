// npm run check -- --size: the lines of source of each package, and the files over 300 lines.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** `data` are tables without code; `generated` come from `npm run generate`. */
type Kind = 'source' | 'data' | 'generated'

interface SourceFile {
  readonly path: string
  readonly kind: Kind
  readonly lines: number
}

const isSource = (path: string) =>
  /^(packages|apps)\/.*\.(ts|tsx|mjs|css)$|^(packages|apps)\/.*\/(src|data|scribe)\/.*\.json$/.test(path) &&
  !/\.test\.tsx?$|\.config\.m?ts$|\/(testing|fakes|evaluation|e2e|tiny-model)\//.test(path) &&
  !path.endsWith('/testing.ts')

/** Published providers and common passwords are TypeScript, so that they are checked and bundled. */
const isData = (path: string) => /\.json$|\/publishers\/|common-passwords\.ts$/.test(path)

export function printSize(): void {
  const paths = execFileSync('git', ['ls-files', '--', 'packages', 'apps'], { encoding: 'utf8' }).split('\n')
  const files = paths.filter(isSource).map(readSource)
  const packages = Map.groupBy(files, ({ path }) => /^(packages\/providers|packages|apps)\/[^/]+/.exec(path)![0])
  for (const [name, own] of packages) console.log(row(name, own))
  console.log(row('all', files))
  console.log()
  for (const { path, kind, lines } of files) {
    if (kind === 'source' && lines > 300 && !path.includes('/migrations/')) console.log(`${lines} lines: ${path}`)
  }
}

function readSource(path: string): SourceFile {
  const text = readFileSync(path, 'utf8')
  const isGenerated = /^\/[/*]+\s*(Generated|.*auto-generated)/.test(text) || path.endsWith('/schema.d.ts')
  return {
    path,
    kind: isGenerated ? 'generated' : isData(path) ? 'data' : 'source',
    lines: text.split('\n').length - 1,
  }
}

function row(name: string, files: readonly SourceFile[]): string {
  const lines = (kind: Kind) => files.reduce((sum, file) => sum + (file.kind === kind ? file.lines : 0), 0)
  const others = (['data', 'generated'] as const).filter((kind) => lines(kind) > 0)
  const more = others.map((kind) => `${lines(kind)} ${kind}`).join(', ')
  return `${name.padEnd(38)}${String(lines('source')).padStart(7)}${more && `  and ${more}`}`
}
