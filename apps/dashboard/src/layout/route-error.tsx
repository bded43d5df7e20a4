import { ErrorPanel } from '../components/error-panel.tsx'

/** Shown in place of a page that could not be loaded, such as while the service is down. */
export function RouteError({ error, reset }: { readonly error: unknown; reset(): void }) {
  return (
    <main className="mx-auto max-w-lg p-6">
      <h1 className="sr-only">The page could not be loaded</h1>
      <ErrorPanel
        error={error}
        onRetry={() => {
          reset()
          location.reload()
        }}
      />
    </main>
  )
}
