import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

export const repository = 'https://github.com/fairlead/fairlead'

/** The commit that the site is built from, so that links of an old version go to the files of that version. */
const commit = process.env['GITHUB_SHA'] ?? 'main'

/** Turns links to files that are not pages of the site, such as source code, into links to the repository. */
export function linkToRepository(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('link-to-repository', ({ tokens, env }) => {
    const folder = posix.dirname((env as { readonly relativePath: string }).relativePath)
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href === null || /^(\w+:|#|\/)/.test(href)) continue
      const path = posix.join('docs', folder, href)
      const isPage = path.startsWith('docs/') && /\.md(#|$)/.test(path)
      if (!isPage) token.attrSet('href', `${repository}/blob/${commit}/${path}`)
    }
  })
}
