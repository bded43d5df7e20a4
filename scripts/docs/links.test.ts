import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { toAnchor } from '../../docs/site/anchor.ts'

const root = join(import.meta.dirname, '../..')
const pages = globSync(['*.md', '{apps,bench,docs,examples,packages}/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', 'docs/reference/**'],
}).sort()

/** The anchors of the headings, as GitHub generates them. */
function anchorsOf(page: string): readonly string[] {
  const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map(toAnchor)
}

test.each(pages)('every link of %s has a target', (page) => {
  const text = readFileSync(join(root, page), 'utf8').replace(/^(`{3,}).*?^\1$/gms, '')
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => link)
  const dead = links.filter((link) => {
    const [path = '', anchor] = link.split('#')
    const file = path === '' ? join(root, page) : join(root, dirname(page), path)
    return !existsSync(file) || (anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor))
  })
  expect(dead.map((link) => `${relative('', page)} → ${link}`)).toEqual([])
})

test.each(pages)('every link of %s to source code names what the file has', (page) => {
  const text = readFileSync(join(root, page), 'utf8')
  const missing = [...text.matchAll(/\[([^\]\n]*)\]\((?!https?:)([^)\s]+\.ts)\)/g)].flatMap(
    ([, label = '', path = '']) => {
      const source = readFileSync(join(root, dirname(page), path), 'utf8')
      const symbols = [...label.matchAll(/`(\w+)(?:\(\))?`/g)].map(([, symbol = '']) => symbol)
      return symbols
        .filter((symbol) => !new RegExp(`\\b${symbol}\\b`).test(source))
        .map((symbol) => `${symbol} → ${path}`)
    },
  )
  expect(missing).toEqual([])
})
