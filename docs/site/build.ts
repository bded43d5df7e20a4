import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type DefaultTheme, build, resolveConfig } from 'vitepress'
import { deadLinks } from './built-links.ts'
import { writePagesForModels } from './pages-for-models.ts'

/** Builds the site for a base path. Returns its folder. Rejects if a page is not in the sidebar, or a link has no target. */
export async function buildSite(root: string, base: string): Promise<string> {
  const docs = join(root, 'docs')
  await build(docs, { base })
  const { outDir, site } = await resolveConfig(docs, 'build')
  const sidebar = site.themeConfig.sidebar as DefaultTheme.SidebarItem[]
  const listed = JSON.stringify(sidebar)
  const missing = globSync(['*.md', 'tutorials/*.md'], { cwd: docs })
    .filter((page) => page !== 'README.md' && !listed.includes(`"/${page.slice(0, -'.md'.length)}"`))
    .map((page) => `docs/${page} is not in docs/.vitepress/sidebar.ts`)
  const dead = deadLinks(outDir, base).map((link) => `dead link: ${link}`)
  if (missing.length + dead.length > 0) throw new Error([...missing, ...dead].join('\n'))
  writePagesForModels(docs, outDir, sidebar)
  return outDir
}
