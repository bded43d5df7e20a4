import { type Message, withUserMessage } from '@fairlead/core/provider'
import { messageText } from '../../message-text.ts'
import { type Brief, readBrief } from './brief.ts'
import { type AskedLength, findLength } from './find-length.ts'
import { findTones } from './find-tones.ts'
import { splitSource, squeezed } from './split-source.ts'

/** The last request of a conversation as it was understood. */
export interface Conversation {
  readonly brief: Brief
  /** The text of the system messages. Empty without one. */
  readonly system: string
}

/**
 * Reads the last request with what it refers to. "Shorten it" is about the latest answer, "Make it friendlier" repeats the
 * request before it in another tone, and "When was that?" is about the text of an earlier request. System messages set
 * tone and length where the request does not.
 */
export function readConversation(given: readonly Message[]): Conversation {
  const messages = withUserMessage(given)
  const system = messages.flatMap((message) => (message.role === 'system' ? [messageText(message)] : [])).join('\n')
  const turns = messages.flatMap(({ role, content }) =>
    role === 'user' || role === 'assistant' ? [{ role, text: joinTexts(content) }] : [],
  )
  const asked = turns.findLastIndex(({ role }) => role === 'user')
  const before = turns.slice(0, Math.max(0, asked))
  const earlier = before.flatMap(({ role, text }) => (role === 'user' ? [text] : []))
  const request = { ...createBrief(before.slice(-maxTurns), turns[asked]?.text ?? ''), earlier }
  return { system, brief: system === '' ? request : withWishes(request, system, 'unsaid') }
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

function joinTexts(content: Message['content']): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

/** Earlier turns than these are not read. */
const maxTurns = 20
/** Longer requests stand on their own. */
const maxFollowUp = 160

const lead =
  '^\\W*(?:(?:please|now|ok(?:ay)?|thanks|thank you|great|good|nice|perfect|but|and|then|could you|can you|would you)\\W+){0,4}'
const worksOnAnswer = new RegExp(
  `${lead}(?:(?:(?:make|cut) (?:it|this|that) )?(?:even |much |a bit |a little )?shorter\\b|(?:shorten|condense|trim|tighten|summari[sz]e|sum up|tl;?dr|continue|go on|carry on|finish)\\b|.{0,60}\\b(?:bullets?|bullet points?|key ?words|key ?phrases|key points|title|headline|subject line|(?:upper|lower|title|sentence)[- ]?case|all caps|capitali[sz]e)\\b)`,
  'i',
)
const repeatsRequest = new RegExp(
  `${lead}(?:(?:write|make|do|say|tell|put|try|keep) (?:it|this|that|them)\\b|(?:give|write|tell|show|make) (?:me )?(?:another|one more|a different)\\b|(?:rewrite|rephrase|reword|redo|again|another|one more|once more|try again|more|less|longer|a bit|a little|too)\\b|in \\w+ words\\b)`,
  'i',
)

function createBrief(earlier: readonly Turn[], text: string): Brief {
  const request = readBrief(text)
  const alone = request.source !== undefined || text.length > maxFollowUp
  if (alone || earlier.length === 0) return request
  const answer = earlier.findLast(({ role, text: said }) => role === 'assistant' && said.trim() !== '')
  if (answer && worksOnAnswer.test(text)) return onText(request, answer.text)
  if (repeatsRequest.test(text)) {
    const before = earlier.findLastIndex(({ role }) => role === 'user')
    if (before >= 0) return withWishes(createBrief(earlier.slice(0, before), earlier[before]!.text), text, 'all')
  }
  const given = text.trimEnd().endsWith('?') ? givenBefore(earlier) : undefined
  return given === undefined ? request : onText(request, given)
}

function onText(request: Brief, text: string): Brief {
  const source = squeezed(text).trim()
  return { ...request, source, prompt: `${request.prompt}\n\n${source}` }
}

const minGiven = 60

/** The text that was given last to work on. */
function givenBefore(earlier: readonly Turn[]): string | undefined {
  const sources = earlier.map(({ role, text }) => (role === 'user' ? splitSource(squeezed(text)).source : undefined))
  return sources.findLast((source) => source !== undefined && source.length >= minGiven)
}

/** A brief with the tone and length that a text asks for: of all, or only of those that the brief does not say. */
function withWishes(brief: Brief, text: string, replaced: 'all' | 'unsaid'): Brief {
  const read = text.slice(0, maxWishes)
  const wished = { tones: findTones(read), length: findLength(read) }
  const [first, second] = replaced === 'all' ? [wished, brief] : [brief, wished]
  return {
    ...brief,
    tones: first.tones.size > 0 ? first.tones : second.tones,
    length: preferred(first.length, second.length),
  }
}

const maxWishes = 2_000

function preferred(first: AskedLength, second: AskedLength): AskedLength {
  return {
    scale: first.scale === 1 ? second.scale : first.scale,
    words: first.words ?? second.words,
    sentences: first.sentences ?? second.sentences,
    count: first.count ?? second.count,
  }
}
