import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { toAnchor } from '../site/anchor.ts'
import { linkToRepository, repository } from '../site/repository-links.ts'
import { home } from './home.ts'
import { sidebar } from './sidebar.ts'

const root = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as {
  readonly version: string
}

export default defineConfig({
  title: 'Fairlead',
  description: 'One service and one library in front of OpenAI, Anthropic, Google, Ollama, and other model providers.',
  lang: 'en-US',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md' },
  srcExclude: ['node_modules/**'],
  transformHead: ({ siteData }) => [
    ['link', { rel: 'icon', href: `${siteData.base}favicon.svg`, type: 'image/svg+xml' }],
  ],
  markdown: {
    // Headings such as `GET /models/{id}` have braces of their own.
    attrs: false,
    anchor: { slugify: toAnchor },
    config: (markdown) => void markdown.use(linkToRepository),
  },
  transformPageData: ({ relativePath }) => (relativePath === 'index.md' ? { frontmatter: home } : undefined),
  themeConfig: {
    logo: '/favicon.svg',
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // Guides come before the references and decisions that use the same word.
          searchOptions: { boostDocument: (page) => (/\/(?:reference|decisions)\//.test(String(page)) ? 0.2 : 1) },
        },
      },
    },
    outline: [2, 3],
    externalLinkIcon: true,
    sidebar: sidebar(),
    nav: [
      { text: 'Guides', link: '/getting-started' },
      { text: 'REST', link: '/reference/rest/' },
      { text: 'GraphQL', link: '/reference/graphql/' },
      { text: 'Packages', link: '/reference/packages/' },
      { text: `v${version}`, items: [{ text: 'Releases', link: `${repository}/releases` }] },
    ],
    socialLinks: [{ icon: 'github', link: repository }],
  },
})
