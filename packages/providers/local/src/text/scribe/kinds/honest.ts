import type { WorkingKind } from '../kind.ts'

/** The things that scribe can't do, and says so. */
const reasons = {
  facts: 'Scribe composes text and knows no facts, so it would only be guessing here',
  math: 'Scribe calculates plain expressions such as 17 * 23 and solves no other math',
  code: 'Scribe composes prose and does not write code',
  rewriting: 'Scribe composes text and does not reword what others wrote',
  translation: 'Scribe composes in English and does not translate',
  language: 'Scribe reads and composes English only',
  sentiment: 'Scribe has no analyzer here that could judge a text',
  unknown: 'Scribe is not a language model and has no pattern for this request',
} as const

/** One honest sentence: why not, and how to have it answered. */
export function needsProvider(reason: keyof typeof reasons): string {
  return `${reasons[reason]}; connect a model provider for this, for example by setting OPENAI_API_KEY or OLLAMA_HOST.`
}

/** "Always answer in French" */
export const wantsLanguage =
  /\b(?:say|write|put|answer|reply|respond|speak)\b[^.]{0,80}\b(?:in|into|to) (?:french|german|spanish|italian|portuguese|dutch|japanese|chinese|mandarin|korean|russian|arabic|hindi|turkish|polish|swedish|latin|greek|\w+ languages)\b/i

const translation: WorkingKind = {
  name: 'translation',
  asks: new RegExp(`\\btranslat(?:e|ion|ing)\\b|${wantsLanguage.source}`, 'i'),
  turn: 'first',
  work: () => needsProvider('translation'),
}

const code: WorkingKind = {
  name: 'code',
  asks: /\b(?:write|create|give|show|implement|fix|debug|refactor|review|optimi[sz]e|convert|generate|make|build|explain|need)\b[^.?!\n]{0,60}\b(?:code|function|script|regex|regular expression|sql|query|algorithm|unit tests?|python|javascript|typescript|java|rust|golang|c\+\+|bash|html|css|json|dockerfile|class that|program that|react component|method that)\b|\b(?:return|output|answer in|respond (?:in|with)|reply (?:in|with)|valid|as) json\b|^\s*(?:def \w+\(|function \w*\(|class \w+ *[:({]|import [\w{}*, ]+ from |const \w+ =|let \w+ =|var \w+ =|public (?:static|class|void) |#include|select .+ from |<\?php|<!doctype)/i,
  turn: 'first',
  fits: ({ instruction }) =>
    /\bjson\b/i.test(instruction) ||
    !/\b(?:story|poem|haiku|slogan|blog|email|e-mail|agenda|job|cover letter|bio|announcement|names?|jokes?)\b/i.test(
      instruction,
    ),
  work: () => needsProvider('code'),
}

const rewriting: WorkingKind = {
  name: 'rewriting',
  asks: /\b(?:rewrite|rephrase|reword|paraphrase|proofread|polish|correct|fix|improve)\b/i,
  fits: ({ source }) => source !== undefined,
  work: () => needsProvider('rewriting'),
}

const math: WorkingKind = {
  name: 'math',
  asks: /\b(?:calculate|compute|solve|integrate|differentiate|derivative of|integral of|factori[sz]e|prime factors?)\b/i,
  turn: 'first',
  work: () => needsProvider('math'),
}

const facts: WorkingKind = {
  name: 'facts',
  asks: /^\W*(?:please )?(?:compare|explain|describe|define|teach me|tell me about|help me understand)\b|^\W*(?:who|whom|whose|what|what's|when|where|which|how|why|is|are|am|was|were|does|did|can|could|should|will|would|do|tell me (?:who|what|when|where|why|how))\b|\b(?:explain|tell me|describe)(?: to (?:my )?[\w-]+)? (?:why|how|what)\b|\p{L}[^\p{L}]*\?\s*$/iu,
  turn: 'last',
  work: () => needsProvider('facts'),
}

const continuationOfNothing: WorkingKind = {
  name: 'continuation of nothing',
  asks: /^\W*(?:please )?(?:continue|carry on|go on|finish)\b/i,
  turn: 'last',
  work: () => 'There is no text in the prompt to continue; put it after a colon or on the lines below the request.',
}

/** Takes whatever no other kind takes. */
const unknown: WorkingKind = {
  name: 'unknown',
  asks: /^/,
  turn: 'last',
  work: () => needsProvider('unknown'),
}

/** Takes prompts of no words, or of one or two that name no kind. */
const unclear: WorkingKind = {
  name: 'unclear',
  asks: /^/,
  turn: 'last',
  fits: ({ prompt }) => (prompt.slice(0, 2_000).match(/\p{L}{2,}/gu)?.length ?? 0) < 3,
  work: () =>
    'Scribe has no pattern for so short a prompt; name a kind of text and its topic, for example “write a haiku about rain”, or ask “what can you do?”.',
}

/** Kinds of requests that scribe can't fulfill. Each gets one sentence. */
export const honestKinds: readonly WorkingKind[] = [
  translation,
  code,
  rewriting,
  math,
  facts,
  continuationOfNothing,
  unclear,
  unknown,
]
