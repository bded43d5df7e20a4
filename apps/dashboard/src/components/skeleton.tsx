import { classNames } from './class-names.ts'

/** Stands for content that loads. Its size comes from `className`. */
export function Skeleton({ className }: { readonly className?: string | undefined }) {
  return <span aria-hidden data-skeleton className={classNames('block animate-pulse rounded-sm bg-hover', className)} />
}
