import type { IconComponent } from './components/icons.tsx'

/** A page of the dashboard in the side navigation. A folder in `pages` declares one in its `page.ts`, beside its routes. */
export interface Page {
  /** The path of its route, such as `/api-keys`. */
  readonly path: string
  readonly title: string
  readonly icon: IconComponent
  /** Its place in the side navigation. */
  readonly section: Section
  /** Orders the pages of a section. */
  readonly order: number
  /**
   * The users who see it. `admins`: the admins of the service; its routes belong below `adminRoute`. `auditors`: they,
   * or in a project its admins and owners. Default: everyone.
   */
  readonly visibleTo?: 'admins' | 'auditors' | undefined
}

export const sections = ['Monitor', 'Build', 'Admin', 'Account'] as const
export type Section = (typeof sections)[number]
