import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The links of a built site without a target, as `page → link`: a path without a file, or an anchor without an element. */
export function deadLinks(dist: string, base: string): readonly string[] {
  const pages = globSync('**/*.html', { cwd: dist }).sort()
  const anchors = new Map(pages.map((page) => [page, anchorsOf(readFileSync(join(dist, page), 'utf8'))]))
  return pages.flatMap((page) => {
    const links = [...readFileSync(join(dist, page), 'utf8').matchAll(/<a [^>]*?href="([^"]+)"/g)]
    return [...new Set(links.map(([, link = '']) => link))]
      .filter((link) => !/^\w+:/.test(link))
      .filter((link) => {
        const { pathname, hash } = new URL(link, `http://site${base}${page}`)
        if (!pathname.startsWith(base)) return true
        const path = decodeURIComponent(pathname).slice(base.length)
        const file = [path, `${path}.html`, join(path, 'index.html')].find((name) => isFile(dist, name))
        const anchor = decodeURIComponent(hash.slice(1))
        return file === undefined || (anchor !== '' && anchors.get(file)?.has(anchor) === false)
      })
      .map((link) => `${page} → ${link}`)
  })
}

function anchorsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
}

function isFile(dist: string, name: string): boolean {
  return /\.\w+$/.test(name) && existsSync(join(dist, name))
}
