import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { LoaderCircle } from './icons.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md'

export interface ButtonProps extends ComponentProps<'button'> {
  /** Default: `secondary`. */
  readonly variant?: ButtonVariant | undefined
  /** Default: `md`. */
  readonly size?: ButtonSize | undefined
  /** Shows progress, and ignores clicks. The button keeps the focus. */
  readonly busy?: boolean | undefined
}

export function Button({ variant, size, busy = false, className, children, onClick, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={classNames(buttonClass({ variant, size }), className)}
      {...props}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <LoaderCircle aria-hidden className="size-3.5 animate-spin" />}
      {children}
    </button>
  )
}

/** The look of a button, for links too. */
export function buttonClass({
  variant = 'secondary',
  size = 'md',
}: {
  readonly variant?: ButtonVariant | undefined
  readonly size?: ButtonSize | undefined
}): string {
  return classNames(base, sizes[size], variants[variant])
}

const base =
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors disabled:cursor-default disabled:opacity-50 aria-busy:cursor-default aria-busy:opacity-50'

const sizes: Readonly<Record<ButtonSize, string>> = {
  sm: 'h-7 px-2 text-xs',
  md: 'h-8 px-3 text-sm',
}

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: 'bg-accent text-on-accent shadow-sm hover:not-disabled:bg-accent-strong',
  secondary: 'border border-line-strong bg-surface text-fg shadow-sm hover:not-disabled:bg-hover',
  ghost: 'text-muted hover:not-disabled:bg-hover hover:not-disabled:text-fg',
  danger: 'bg-danger text-on-danger shadow-sm hover:not-disabled:opacity-90',
}
