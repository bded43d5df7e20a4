import { type ReactNode, useEffect } from 'react'
import { TriangleAlert } from '../components/icons.tsx'
import { Logo } from '../layout/logo.tsx'

export interface AuthCardProps {
  readonly title: string
  readonly children: ReactNode
  /** Below the card. */
  readonly footer: ReactNode
}

/** The frame of the log-in and sign-up pages. */
export function AuthCard({ title, children, footer }: AuthCardProps) {
  useEffect(() => {
    document.title = `${title} · Fairlead`
  }, [title])
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-6 p-4">
      <Logo />
      <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6 shadow-sm">
        <h1 className="mb-5 text-lg font-semibold tracking-tight">{title}</h1>
        {!isSecureContext && <NoHttps />}
        {children}
      </div>
      <p className="text-sm text-muted">{footer}</p>
    </main>
  )
}

/** Browsers keep the session cookie only on HTTPS and on this machine. */
function NoHttps() {
  return (
    <div className="mb-5 flex gap-2.5 rounded-lg bg-warning-soft p-3 text-sm text-warning">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div>
        <p className="font-medium">This page is not served over HTTPS</p>
        <p className="mt-1 text-xs">
          Browsers keep the session cookie only over HTTPS, so you are logged out when you reload the page, and your
          password is sent unencrypted. Put a proxy with a TLS certificate in front of the service and set{' '}
          <code className="font-mono">FAIRLEAD_BASE_URL</code> to its https address, or open an SSH tunnel and use{' '}
          <code className="font-mono">http://127.0.0.1</code>.
        </p>
      </div>
    </div>
  )
}
