import { onlineManager } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { LogInAgain } from '../auth/log-in-again.tsx'
import { PasskeyRequired } from '../auth/passkey-required.tsx'
import { Suspended } from '../auth/suspended.tsx'
import { WifiOff } from '../components/icons.tsx'
import { PopupContainer } from '../components/popup-container.tsx'
import { Toasts } from '../components/toast.tsx'
import { AcceptInvitation } from '../projects/accept-invitation.tsx'
import { useCurrentProject } from '../projects/current-project.ts'
import { ViewerNote } from '../projects/viewer-note.tsx'
import { recall, remember } from '../remembered.ts'
import { useSession } from '../session/use-session.ts'
import { VerifyEmail } from '../session/verify-email.tsx'
import { CommandPalette } from './command-palette.tsx'
import { SideNav } from './side-nav.tsx'

const collapsedKey = 'fairlead-navigation-collapsed'

/** The frame around the pages of a signed-in user. */
export function AppLayout() {
  const { user, status, needsPasskey } = useSession()
  const project = useCurrentProject()
  const [collapsed, setCollapsed] = useState(recall(collapsedKey) === 'true')
  const online = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  )
  function toggle() {
    remember(collapsedKey, String(!collapsed))
    setCollapsed(!collapsed)
  }
  if (status === 'suspended') return <Suspended />
  // After a sign-out, until the log-in page shows.
  if (!user) return null
  if (needsPasskey) return <PasskeyRequired />
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only z-60 rounded-md bg-accent px-3 py-2 text-sm text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <aside
        aria-label="Navigation"
        className={`sticky top-0 h-dvh shrink-0 border-r border-line bg-canvas max-md:hidden ${collapsed ? 'w-15' : 'w-60'}`}
      >
        <PopupContainer>
          <SideNav collapsed={collapsed} onToggle={toggle} />
        </PopupContainer>
      </aside>
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
        <PopupContainer>
          {!online && (
            <div
              role="status"
              className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-1.5 text-xs font-medium text-warning"
            >
              <WifiOff aria-hidden className="size-3.5" />
              You are offline. The page continues when the connection is back.
            </div>
          )}
          <ViewerNote />
          {/* Another project has other records: no page keeps any. */}
          <Outlet key={project} />
          <AcceptInvitation />
          <VerifyEmail />
          <CommandPalette />
          {status === 'ended' && <LogInAgain email={user.email} />}
          <Toasts />
        </PopupContainer>
      </main>
    </div>
  )
}
