import { needsProvider } from '../honest.ts'
import { workingKind } from '../kind.ts'

export const rewriting = workingKind({
  name: 'rewriting',
  asks: /\b(?:rewrite|rephrase|reword|paraphrase|proofread|polish|correct|fix|improve)\b/i,
  fits: ({ source }) => source !== undefined,
  work: () => needsProvider('rewriting'),
})
