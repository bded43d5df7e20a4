import { Brain, ChevronRight } from '../../../components/icons.tsx'

/** The reasoning of a model before its answer, folded. */
export function ReasoningText({ text, running }: { readonly text: string; readonly running: boolean }) {
  if (text === '') {
    return (
      <p className="flex items-center gap-1.5 text-xs text-muted">
        <Brain aria-hidden className="size-3.5" />
        The provider encrypts the reasoning.
      </p>
    )
  }
  return (
    <details className="group min-w-0 rounded-lg border border-line bg-sunken">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-lg px-3 py-2 text-xs font-medium text-muted hover:text-fg">
        <ChevronRight aria-hidden className="size-3.5 transition-transform group-open:rotate-90" />
        <Brain aria-hidden className="size-3.5" />
        {running ? 'Reasoning…' : 'Reasoning'}
      </summary>
      <p className="px-3 pb-3 text-sm break-words whitespace-pre-wrap text-muted">{text}</p>
    </details>
  )
}
