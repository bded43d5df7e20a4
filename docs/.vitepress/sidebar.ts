import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

const docs = join(import.meta.dirname, '..')

/** Every page by its group, in the order of the sidebar. The build fails for a page that is missing here. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['getting-started', 'tutorials/first-chart', 'migrate-litellm', 'migrate-portkey'],
  'Call it': [
    'generate-text',
    'conversations',
    'generate-images',
    'text-embeddings',
    'analyze',
    'using-models',
    'authentication',
    'errors',
    'limits',
    'records',
    'events',
    'receive-webhooks',
    'graphql',
    'openai',
    'anthropic-clients',
    'versioning',
  ],
  'Embed it': ['embedding', 'tutorials/nextjs', 'test-your-app', 'mirror'],
  'Run it': [
    'running',
    'configuration',
    'cli',
    'upgrading',
    'dashboard',
    'accounts',
    'projects',
    'single-sign-on',
    'budgets',
    'audit-log',
    'providers',
    'openai-compatible',
    'anthropic',
    'google',
    'ai-sdk',
    'local-provider',
    'llama-cpp',
    'models',
    'routing',
    'caching',
    'webhooks',
    'operating/containers',
    'operating/observability',
    'operating/usage-export',
    'performance',
    'operating/sizing',
    'operating/high-availability',
    'operating/security',
    'operating/disaster-recovery',
    'operating/scale',
    'migrate-litellm',
    'migrate-portkey',
  ],
  'Extend it': ['tutorials/write-a-provider', 'plugin-authors', 'architecture'],
}

const generated: Readonly<Record<string, string>> = {
  'REST API': 'reference/rest',
  'GraphQL API': 'reference/graphql',
  Packages: 'reference/packages',
}

export function sidebar(): DefaultTheme.SidebarItem[] {
  return [
    ...Object.entries(groups).map(([text, pages]) => ({ text, collapsed: text !== 'Start', items: pages.map(itemOf) })),
    { text: 'Reference', collapsed: true, items: Object.entries(generated).map(referenceGroup) },
    { text: 'Decisions', collapsed: true, items: pagesIn('decisions').map(itemOf) },
  ]
}

function referenceGroup([text, folder]: readonly [string, string]): DefaultTheme.SidebarItem {
  const pages = pagesIn(folder).filter((page) => page !== `${folder}/index`)
  return { text, link: `/${folder}/`, collapsed: true, items: pages.map(itemOf) }
}

function pagesIn(folder: string): readonly string[] {
  return globSync(`${folder}/**/*.md`, { cwd: docs })
    .map((path) => path.slice(0, -'.md'.length))
    .sort()
}

function itemOf(page: string): DefaultTheme.SidebarItem {
  return { text: titleOf(page), link: `/${page}` }
}

/** The first heading of a page. */
function titleOf(page: string): string {
  const [, title = page] = /^# (.*)$/m.exec(readFileSync(join(docs, `${page}.md`), 'utf8')) ?? []
  return title.replaceAll('`', '')
}
