import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'

/** A page of the dashboard. A folder in `pages` declares one in its `page.ts`; no list names them. */
export interface Page {
  /** Below the address of the dashboard, such as `/api-keys`. */
  readonly path: `/${string}`
  readonly title: string
  readonly icon: LucideIcon
  /** Its place in the side navigation. */
  readonly section: Section
  /** Orders the pages of a section. */
  readonly order: number
  /** Default: false. */
  readonly adminOnly?: boolean | undefined
  /** Loads the component, on its first use. */
  load(): Promise<ComponentType>
}

export const sections = ['Monitor', 'Build', 'Admin', 'Account'] as const
export type Section = (typeof sections)[number]
