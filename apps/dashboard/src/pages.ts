import { type Page, sections } from './page.ts'

const modules = import.meta.glob<{ readonly page: Page }>('./pages/*/page.ts', { eager: true })

/** All pages, in the order of the side navigation. */
export const pages: readonly Page[] = Object.values(modules)
  .map(({ page }) => page)
  .sort((one, other) => sections.indexOf(one.section) - sections.indexOf(other.section) || one.order - other.order)
