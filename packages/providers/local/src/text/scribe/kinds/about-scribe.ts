import type { Brief } from '../brief/brief.ts'
import type { WorkingKind } from '../kind.ts'
import { valuesFor } from '../working/find-value.ts'

const identity =
  'I am scribe, a program that composes short English texts from patterns. I am not a language model, and I know nothing beyond your prompt.'
const abilities = `I can:

- write a story, poem, haiku, joke, e-mail, invitation, apology, thank-you note, announcement, slogan, or product description
- list ideas and names
- summarize, shorten, or title a text, list its points, or answer a question from it
- extract e-mail addresses, links, numbers, dates, and names from a text, and tell its sentiment
- calculate, count words and letters, tell the date, and fill in JSON

For facts, code, and translation, connect a model provider, for example by setting OPENAI_API_KEY or OLLAMA_HOST.`
const example = 'Try “write a haiku about rain”, or ask “what can you do?”.'

const greeting: WorkingKind = {
  name: 'greeting',
  asks: /^\W*(?:(?:hi|hello|hey|hallo|good (?:morning|afternoon|evening)|greetings|howdy|thanks?|thank you|ok(?:ay)?|test(?:ing)?|ping|how are you)\b[^\p{L}]*(?:there|scribe|you|today|so much|world)?)[^\p{L}]*(?:how are you(?: doing)?(?: today)?|how(?:['’]s| is) it going|what(?:['’]s| is) up|nice to meet you)?\W*$/iu,
  turn: 'first',
  work: ({ instruction }) =>
    /\bthank/i.test(instruction) ? `You are welcome. ${example}` : `Hello! ${identity} ${example}`,
}

const aboutItself: WorkingKind = {
  name: 'identity',
  asks: /^\W*(?:(?:hi|hello|hey)\W+)?(?:who|what)(?:['’]?s| is| are| r) (?:you|u|scribe|your name)\b|\b(?:introduce|tell me about|describe) yourself\b|\bare you (?:an? )?(?:ai|bot|chatgpt|gpt|claude|gemini|human|robot|real|language model|llm|person)\b|\bwhat(?:['’]s| is) your name\b|\bwho (?:made|built|created|trained) you\b|\b(?:which|what) (?:ai |language )?model are you\b/i,
  turn: 'first',
  work: () => `${identity} ${example}`,
}

const help: WorkingKind = {
  name: 'abilities',
  asks: /^\W*help(?: me)?\W*$|\bwhat (?:can|could) (?:you|scribe|i) (?:do|ask|help)\b|\bwhat are you able to\b|\bhow can you help\b|\bwhat do you do\b|\byour (?:capabilities|abilities|features)\b/i,
  turn: 'first',
  work: () => abilities,
}

const longestQuote = 500

/** Requests about the conversation itself. */
const recall: WorkingKind = {
  name: 'recall',
  asks: /\bwhat (?:did|have) i (?:just |first )?(?:say|said|ask|asked|write|wrote|written|tell|told)\b[^.!\n]*|\b(?:what (?:was|is)|repeat) my (?:first|last|previous|earlier|latest) (?:message|question|prompt|request)\b|\bdo you remember what i\b[^.!\n]*/i,
  turn: 'first',
  work: ({ instruction, earlier }) => {
    const said = /\bfirst\b/i.test(instruction) ? earlier[0] : earlier.at(-1)
    if (said === undefined) return 'You said nothing before: this is the first message of the conversation.'
    const text = said.trim()
    return `You said: “${text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text}”`
  },
}

const ownFact = /^\W*(?:what(?:['’]s| is| was)|do you (?:know|remember)) my ([\p{L} ]{2,30}?)\W*$/iu

/** "What is my name?", where the user has said it. */
const ownFacts: WorkingKind = {
  name: 'own facts',
  asks: ownFact,
  turn: 'first',
  fits: (brief) => ownValue(brief) !== undefined,
  work: (brief) => `You said: ${ownValue(brief)}`,
}

function ownValue({ instruction, earlier }: Brief): string | undefined {
  const [, field = ''] = ownFact.exec(instruction) ?? []
  return earlier
    .slice(-20)
    .toReversed()
    .flatMap((text) => valuesFor(field, text))[0]
}

/** Kinds that answer about scribe and the conversation. */
export const ownKinds: readonly WorkingKind[] = [greeting, aboutItself, help, recall, ownFacts]
