import { Link } from '@tanstack/react-router'
import { classNames } from '../components/class-names.ts'
import { IconButton } from '../components/icon-button.tsx'
import { PanelLeftClose, PanelLeftOpen, Search } from '../components/icons.tsx'
import { sections } from '../page.ts'
import { ProjectSwitcher } from '../projects/project-switcher.tsx'
import { useVisiblePages } from './visible-pages.ts'
import { Logo } from './logo.tsx'
import { openCommandPalette } from './command-palette-state.ts'
import { UserMenu } from './user-menu.tsx'

export interface SideNavProps {
  readonly collapsed: boolean
  /** Undefined on a phone, where the navigation is a sheet. */
  readonly onToggle?: (() => void) | undefined
  /** Called when a page was chosen. */
  readonly onNavigate?: (() => void) | undefined
}

export function SideNav({ collapsed, onToggle, onNavigate }: SideNavProps) {
  const pages = useVisiblePages()
  return (
    <div className="flex h-full flex-col gap-1 overflow-hidden">
      <div className={classNames('flex h-14 items-center px-3', collapsed ? 'justify-center' : 'justify-between')}>
        {!collapsed && <Logo />}
        {onToggle && (
          <IconButton
            icon={collapsed ? PanelLeftOpen : PanelLeftClose}
            label={collapsed ? 'Expand the navigation' : 'Collapse the navigation'}
            onClick={onToggle}
          />
        )}
      </div>
      <ProjectSwitcher collapsed={collapsed} onNavigate={onNavigate} />
      <div className="px-3">
        <button
          type="button"
          onClick={() => {
            onNavigate?.()
            openCommandPalette()
          }}
          aria-label={collapsed ? 'Search' : undefined}
          aria-keyshortcuts="Control+K Meta+K"
          className={classNames(
            'flex h-8 w-full items-center gap-2 rounded-md border border-line-strong bg-surface text-sm text-muted shadow-sm hover:bg-hover',
            collapsed ? 'justify-center' : 'px-2',
          )}
        >
          <Search aria-hidden className="size-4" />
          {!collapsed && (
            <>
              <span className="flex-1 text-left">Search</span>
              <kbd aria-hidden className="rounded-sm border border-line px-1 font-sans text-2xs">
                {isMac ? '⌘' : 'Ctrl'} K
              </kbd>
            </>
          )}
        </button>
      </div>
      <nav aria-label="Main" className="flex-1 overflow-y-auto px-3 pb-3">
        {sections.map((section) => {
          const entries = pages.filter((page) => page.section === section)
          if (entries.length === 0) return null
          return (
            <div key={section} className="mt-4">
              {collapsed ? (
                <div className="mx-2 mb-2 border-t border-line first:hidden" />
              ) : (
                <p className="px-2 pb-1 text-xs font-medium text-subtle">{section}</p>
              )}
              <ul className="flex flex-col gap-0.5">
                {entries.map(({ path, title, icon: Icon }) => (
                  <li key={path}>
                    <Link
                      to={path}
                      preload="intent"
                      activeOptions={{ exact: path === '/', includeSearch: false }}
                      onClick={onNavigate}
                      title={collapsed ? title : undefined}
                      aria-label={collapsed ? title : undefined}
                      className={classNames(
                        'flex h-8 items-center gap-2.5 rounded-md text-sm font-medium text-muted hover:bg-hover hover:text-fg aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong',
                        collapsed ? 'justify-center' : 'px-2',
                      )}
                    >
                      <Icon aria-hidden className="size-4 shrink-0" />
                      {!collapsed && title}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </nav>
      <UserMenu collapsed={collapsed} />
    </div>
  )
}

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
