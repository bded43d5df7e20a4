import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import ts from 'typescript-5.9'
import { describe, expect, test } from 'vitest'

interface Rule {
  /** Words that make a reader read a sentence twice. */
  readonly pattern: RegExp
  /** How many may remain. Lower it when some are gone; never raise it. */
  readonly ceiling: number
}

const inComments: Readonly<Record<string, Rule>> = {
  'begin with What or Who': { pattern: /^(What|Who)\b/, ceiling: 0 },
  'have "that of"': { pattern: /\bthat of\b/i, ceiling: 0 },
  'have "those of"': { pattern: /\bthose of\b/i, ceiling: 9 },
  'have "of its own"': { pattern: /\bof (its|their|his|her|one's) own\b/i, ceiling: 2 },
}

/** Names of functions that end in a preposition. A verb, or the noun alone, says more. */
const inFunctionNames: Rule = { pattern: /\w+Of$/, ceiling: 283 }

const folders = ['packages', 'apps', 'scripts', 'bench', 'examples', 'docs/site']

interface Place {
  readonly file: string
  readonly line: number
  readonly words: string
}

describe('plain words', () => {
  const comments: Place[] = []
  const functionNames: Place[] = []
  for (const file of sourceFiles()) {
    const text = readFileSync(file, 'utf8')
    comments.push(...readComments(file, text))
    if (/\w+Of\b/.test(text)) functionNames.push(...readFunctionNames(file, text))
  }

  test.each(Object.entries(inComments))('no more comments than before %s', (_name, rule) => {
    expectAtMost(rule, comments)
  })

  test('no more function names than before end in "Of"', () => {
    expectAtMost(inFunctionNames, functionNames)
  })
})

function expectAtMost({ pattern, ceiling }: Rule, places: readonly Place[]): void {
  const found = places.filter(({ words }) => pattern.test(words))
  const list = found.map(({ file, line, words }) => `${file}:${line} ${words}`).join('\n')
  expect(found.length, `${found.length} of at most ${ceiling}:\n${list}\n`).toBeLessThanOrEqual(ceiling)
}

function sourceFiles(): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...folders], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  // Git also lists files that were deleted and are not committed yet.
  return stdout.split('\0').filter((file) => /\.(ts|tsx|mts|js|mjs|cjs)$/.test(file) && existsSync(file))
}

/** A block, the lines of `//` that follow one another, or the end of a line of code. */
const comment = /\/\*\*[^]*?\*\/|(?:^[ \t]*\/\/.*(?:\n|$))+|(?<=[\s;,{}()])\/\/ .*/gm

function readComments(file: string, text: string): Place[] {
  return [...text.matchAll(comment)].map(({ 0: found, index }) => ({
    file,
    line: lineAt(text, index),
    words: found
      .replaceAll(/^[ \t]*(?:\/\/|\/\*\*|\*(?!\/))|\*\/$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }))
}

function readFunctionNames(file: string, text: string): Place[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const names: Place[] = []
  visit(source)
  return names

  function visit(node: ts.Node): void {
    const name = functionName(node)
    if (name) names.push({ file, line: lineAt(text, name.getStart(source)), words: name.text })
    ts.forEachChild(node, visit)
  }
}

function functionName(node: ts.Node): ts.Identifier | ts.PrivateIdentifier | undefined {
  const name = declaresFunction(node) ? node.name : undefined
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name : undefined
}

function declaresFunction(node: ts.Node): node is ts.NamedDeclaration {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return true
  if (ts.isPropertySignature(node)) return node.type !== undefined && ts.isFunctionTypeNode(node.type)
  if (!ts.isVariableDeclaration(node) && !ts.isPropertyDeclaration(node) && !ts.isPropertyAssignment(node)) return false
  return (
    node.initializer !== undefined &&
    (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))
  )
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
