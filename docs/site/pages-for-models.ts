import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

/** Pages that `llms-full.txt` leaves out, because they would triple its size. `llms.txt` links to them. */
const leftOut = /^\/(?:decisions|reference)\//

/**
 * Writes what language models read: each page as Markdown beside its HTML, their list as `llms.txt`, and the whole text as
 * `llms-full.txt`.
 */
export function writePagesForModels(docs: string, dist: string, sidebar: readonly DefaultTheme.SidebarItem[]): void {
  const sections = sidebar.map(({ text = '', items = [] }) => ({ text, pages: pagesOf(items) }))
  const list = sections.map(({ text, pages }) => {
    const lines = pages.map(
      ({ title, path }) => `- [${title}](${path.slice(1)}.md)${after(': ', summaryOf(read(docs, path)))}`,
    )
    return `## ${text}\n\n${lines.join('\n')}\n`
  })
  const paths = sections.flatMap(({ pages }) => pages.map(({ path }) => path))
  for (const path of paths) cpSync(join(docs, `${path}.md`), join(dist, `${path}.md`))
  writeFileSync(join(dist, 'llms.txt'), [`# Fairlead\n\n> ${summaryOf(read(docs, 'README'))}\n`, ...list].join('\n'))
  const texts = paths.filter((path) => !leftOut.test(path)).map((path) => read(docs, path).trim())
  writeFileSync(join(dist, 'llms-full.txt'), `${texts.join('\n\n---\n\n')}\n`)
}

interface Page {
  readonly title: string
  /** Such as `/reference/rest/index`. */
  readonly path: string
}

function pagesOf(items: readonly DefaultTheme.SidebarItem[]): readonly Page[] {
  return items.flatMap(({ text = '', link, items: children = [] }) => [
    ...(link === undefined ? [] : [{ title: text, path: link.endsWith('/') ? `${link}index` : link }]),
    ...pagesOf(children),
  ])
}

function read(docs: string, path: string): string {
  return readFileSync(join(docs, `${path}.md`), 'utf8')
}

function after(separator: string, text: string): string {
  return text === '' ? '' : `${separator}${text}`
}

/** The first sentence below the title, if the page starts with one. */
function summaryOf(page: string): string {
  const [, paragraph = ''] = /^# .*\n+([^#\n|-][^\n]*)/.exec(page) ?? []
  if (paragraph.startsWith('```')) return ''
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('**', '')
  const [sentence = plain] = /^.*?\.(?=\s|$)/.exec(plain) ?? []
  return sentence.replace(/:$/, '.')
}
