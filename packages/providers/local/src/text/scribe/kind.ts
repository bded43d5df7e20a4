import type { Analysis, AnalysisTask } from '@fairlead/core/provider'
import type { Brief } from './brief/brief.ts'
import type { Slots, Voice } from './grammar/compose.ts'
import type { Grammar } from './grammar/grammar.ts'

interface KindBasics {
  readonly name: string
  /** Matches the words of a request for it. Of several kinds that match, the earliest match wins, then the longest. */
  readonly asks: RegExp
  /** `first` goes before every other kind, `last` only where no other matches. Default: neither. */
  readonly turn?: 'first' | 'last' | undefined
  /** A further condition, for what an expression can't tell. */
  readonly fits?: ((brief: Brief, desk: Desk) => boolean) | undefined
}

/** A kind that is composed from a grammar. */
export interface ComposedKind extends KindBasics {
  readonly grammar: Grammar
  /** The topic of prompts that name none. Default: one of a few open topics. */
  readonly about?: string | undefined
  /** The tone of prompts that ask for none. */
  readonly tone?: string | undefined
  /** Whether the answer goes on in mid-sentence, and so begins small. */
  readonly goesOn?: ((brief: Brief) => boolean) | undefined
  /** Its own slots besides the brief's. */
  readonly slots?: ((brief: Brief, voice: Voice) => Slots) | undefined
}

/** A kind whose answer is computed: from the text in the prompt, the clock, or the conversation. */
export interface WorkingKind extends KindBasics {
  readonly work: (brief: Brief, desk: Desk) => string | Promise<string>
}

export type Kind = ComposedKind | WorkingKind

/** The tools that answers are made with, besides the request itself. */
export interface Desk {
  readonly voice: Voice
  readonly now: () => Date
  /** Absent if no analyzer is at hand. */
  readonly analyze: ((text: string, tasks: readonly AnalysisTask[]) => Promise<Analysis>) | undefined
}
