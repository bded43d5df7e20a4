import './style.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { applyTheme } from './layout/theme.ts'
import { invitationToken } from './projects/invitation-link.ts'
import { router } from './router.tsx'
import { session } from './session/browser-session.ts'
import { takeSignInToken } from './session/sign-in-link.ts'
import { emailToken } from './session/verify-email.tsx'

applyTheme()
takeSignInToken()
invitationToken.take()
emailToken.take()

// In any tab: a sign-out ends all pages, and a sign-in opens them. A page whose session ended stays as it is.
let last = session.state
session.subscribe(() => {
  const before = last
  last = session.state
  const isSameUser = last.user?.id === before.user?.id
  if (!isSameUser) queryClient.clear()
  if (!isSameUser || last.status === 'signed-out') void router.invalidate()
})

// Most visitors have a session: the scripts of the page load while the service is asked.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  void router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])
}

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
