import { useNavigate } from '@tanstack/react-router'
import { classNames } from '../components/class-names.ts'
import { BookOpen, ChevronsUpDown, LogOut, Monitor, Moon, Settings, Sun } from '../components/icons.tsx'
import { Menu } from '../components/menu.tsx'
import { toastError } from '../components/toast.tsx'
import { serviceUrl } from '../home.ts'
import { session } from '../session/browser-session.ts'
import { useUser } from '../session/use-session.ts'
import { setTheme, type Theme, useTheme } from './theme.ts'

const nextTheme = {
  system: { theme: 'light', icon: Sun, label: 'Theme: system' },
  light: { theme: 'dark', icon: Moon, label: 'Theme: light' },
  dark: { theme: 'system', icon: Monitor, label: 'Theme: dark' },
} as const satisfies Record<Theme, object>

export function UserMenu({ collapsed }: { readonly collapsed: boolean }) {
  const { name, email } = useUser()
  const navigate = useNavigate()
  const theme = nextTheme[useTheme()]
  return (
    <div className="border-t border-line p-3">
      <Menu
        align="start"
        side="top"
        trigger={
          <button
            type="button"
            aria-label={collapsed ? `Account: ${email}` : undefined}
            className={classNames(
              'flex w-full items-center gap-2.5 rounded-md py-1.5 text-left hover:bg-hover',
              collapsed ? 'justify-center' : 'px-2',
            )}
          >
            <span
              aria-hidden
              className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent-strong"
            >
              {name.slice(0, 1).toUpperCase()}
            </span>
            {!collapsed && (
              <>
                <span className="sr-only">Account:</span>
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-sm font-medium">{name}</span>
                  <span className="block truncate text-xs text-muted">{email}</span>
                </span>
                <ChevronsUpDown aria-hidden className="size-3.5 text-subtle" />
              </>
            )}
          </button>
        }
        items={[
          { label: 'Settings', icon: Settings, onSelect: () => void navigate({ to: '/settings' }) },
          { label: theme.label, icon: theme.icon, onSelect: () => setTheme(theme.theme) },
          {
            label: 'API reference',
            icon: BookOpen,
            onSelect: () => void open(`${serviceUrl}/docs`, '_blank', 'noopener'),
          },
          { label: 'Log out', icon: LogOut, onSelect: () => void logOut() },
        ]}
      />
    </div>
  )
}

function logOut(): Promise<void> {
  return session.signOut().catch((error: unknown) => toastError('The session could not be ended', error))
}
