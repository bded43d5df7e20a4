import { LoaderCircle } from '../components/icons.tsx'

export function Loading() {
  return (
    <div role="status" className="flex min-h-64 items-center justify-center">
      <LoaderCircle aria-hidden className="size-5 animate-spin text-subtle" />
      <span className="sr-only">Loading</span>
    </div>
  )
}
