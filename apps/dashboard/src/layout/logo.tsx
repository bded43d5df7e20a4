/** A line through the eye of a fairlead. */
export function Logo() {
  return (
    <span className="flex items-center gap-2 text-base font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" aria-hidden className="size-6">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <circle cx="16" cy="16" r="8.5" fill="none" strokeWidth="3" className="stroke-on-accent" />
        <path d="M2 16h12M18 16h12" strokeWidth="3" className="stroke-on-accent" />
      </svg>
      Fairlead
    </span>
  )
}
