import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { type IconComponent, MessagesSquare, ScanText, Shapes } from '../../components/icons.tsx'
import type { Mode } from './playground-state.ts'

interface Introduction {
  readonly icon: IconComponent
  readonly title: string
  readonly examples: readonly string[]
}

const introductions: Readonly<Record<Mode, Introduction>> = {
  text: {
    icon: MessagesSquare,
    title: 'The conversation appears here',
    examples: [
      'Write a haiku about rain',
      'Name three ideas for a coffee shop',
      'Explain HTTP caching in two sentences',
    ],
  },
  image: {
    icon: Shapes,
    title: 'The image appears here',
    examples: ['a lighthouse on a cliff at sunset', 'calm blue waves', 'mountains in the morning mist'],
  },
  analysis: {
    icon: ScanText,
    title: 'The analysis appears here',
    examples: [
      'Maria Lopez loves the new office in Berlin. She moved there on 3 March 2026 for Acme Corp, and paid $1,200.',
      'The delivery was late again, and nobody at the hotline could help. I want my €49.90 back by Friday.',
    ],
  },
}

export interface ExamplesProps {
  readonly mode: Mode
  onExample(prompt: string): void
}

/** Prompts to start with. */
export function Examples({ mode, onExample }: ExamplesProps) {
  const { icon, title, examples } = introductions[mode]
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        <div className="flex w-full max-w-md flex-wrap justify-center gap-2">
          {examples.map((example) => (
            <Button key={example} size="sm" className="max-w-full" onClick={() => onExample(example)}>
              <span className="truncate">{example}</span>
            </Button>
          ))}
        </div>
      }
    >
      Enter your own, or start with an example.
    </EmptyState>
  )
}
