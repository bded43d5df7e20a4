import { describe, expect, test } from 'vitest'
import { readBrief, toSlots, withTopic } from './brief/brief.ts'
import { toneNames } from './brief/find-tones.ts'
import { type Voice, compose } from './grammar/compose.ts'
import { references } from './grammar/grammar.ts'
import { seededRandom } from './grammar/seeded-random.ts'
import type { ComposedKind, Desk } from './kind.ts'
import { readKinds } from './kinds/all-kinds.ts'
import { recognize } from './recognize.ts'

const kinds = readKinds()
const composed = kinds.filter((kind): kind is ComposedKind => 'grammar' in kind)
const text = 'The river rose in the night. By morning the mill stood in water. Nobody had heard the bell.'

/** A request for each kind. */
const requests: Readonly<Record<string, string>> = {
  'JSON of given facts': 'JSON with name and age: Ada is 36',
  abilities: 'what can you do?',
  announcement: 'announce our new mobile app',
  'answer from the text': `${text}\nWho heard the bell?`,
  apology: 'apologize to a customer for the late delivery',
  arithmetic: '2+2?',
  'bullet points': `bullet points: ${text}`,
  'change of case': 'hello world in upper case',
  code: 'write a python script that renames files',
  congratulations: 'birthday message for my sister',
  continuation: 'continue: The door opened and',
  'continuation of nothing': 'continue',
  count: `how many words are in this text: ${text}`,
  email: 'email to Tom about the parking space',
  extraction: `extract the dates: ${text}`,
  facts: 'who invented the zip?',
  greeting: 'hello',
  haiku: 'haiku about rain',
  ideas: 'gift ideas for my brother',
  identity: 'who are you?',
  invitation: 'invite Ana to dinner on Friday',
  joke: 'tell me a joke about cats',
  keywords: `keywords of the following text: ${text}`,
  math: 'solve for x: x + 2 = 4',
  names: 'name ideas for a coffee shop',
  poem: 'poem about the sea',
  'own facts': 'what is my name?',
  'product description': 'product description for a solar lantern',
  recall: 'what did I say before?',
  rewriting: `rewrite politely: ${text}`,
  say: 'say hello',
  sentiment: `is this text positive or negative: ${text}`,
  shorten: `shorten this: ${text}`,
  slogan: 'slogan for a bakery',
  story: 'story about a fox',
  summary: `summarize: ${text}`,
  'thank-you note': 'thank you note to Sam',
  'title of a text': `title for this text: ${text}`,
  today: 'what day is it today?',
  translation: 'translate hello to French',
  unclear: 'asdf',
  unknown: 'plan a trip to Lisbon',
}

function voice(seed: number, temperature: number, tones: readonly string[] = []): Voice {
  const sampling = { temperature, topP: 1, frequencyPenalty: 0, presencePenalty: 0, random: seededRandom(seed) }
  return { sampling, tones: new Set(tones), scale: 1 }
}

const desk: Desk = { voice: voice(1, 1), now: () => new Date(0), analyze: async () => ({}) }

function slots(kind: ComposedKind) {
  const brief = withTopic(readBrief(requests[kind.name] ?? ''), kind.asks)
  return { ...toSlots(brief, 'an open road'), ...kind.slots?.(brief, voice(1, 1)) }
}

describe('the kinds', () => {
  test('the kinds have names of their own', () =>
    expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length))

  test('the kinds each have a request in this test', () => {
    expect(kinds.map(({ name }) => name).sort()).toEqual(Object.keys(requests).sort())
  })

  test.each(Object.entries(requests))('the kinds are told apart: %s', (name, request) => {
    const brief = { ...readBrief(request), earlier: ['My name is Ada.'] }
    expect(recognize(brief, kinds, desk)?.name).toBe(name)
  })

  test.each(composed.map((kind) => [kind.name, kind] as const))(
    'the kinds name only rules and slots that exist: %s',
    (_, kind) => {
      const known = new Set([...kind.grammar.keys(), ...Object.keys(slots(kind))])
      const alternatives = [...kind.grammar.values()].flat()
      const named = alternatives.flatMap((alternative) => [
        ...references(alternative).map(({ name }) => name),
        ...alternative.conditions.flatMap((condition) => (condition.type === 'slot' ? [condition.name] : [])),
      ])
      // A story's cast is there only where the prompt has one; the story says so with conditions.
      const cast = [
        'object',
        'an object',
        'the object',
        'hero',
        'a hero',
        'the hero',
        'they',
        'them',
        'their',
        'recipient',
      ]
      expect(named.filter((name) => !known.has(name) && !cast.includes(name))).toEqual([])
    },
  )

  test.each(composed.map((kind) => [kind.name, kind] as const))('the kinds use all of their rules: %s', (_, kind) => {
    const named = new Set(
      [...kind.grammar.values()].flat().flatMap((alternative) => references(alternative).map(({ name }) => name)),
    )
    const letterRules = new Set(['subject', 'body', 'farewell', 'signature', 'salutation'])
    expect(
      [...kind.grammar.keys()].filter((rule) => rule !== 'answer' && !named.has(rule) && !letterRules.has(rule)),
    ).toEqual([])
  })

  test.each(composed.map((kind) => [kind.name, kind] as const))(
    'the kinds have several shapes and always something to say: %s',
    (_, kind) => {
      const filled = slots(kind)
      const answers = Array.from({ length: 40 }, (_unused, seed) =>
        compose(kind.grammar, filled, voice(seed, 1.5, seed % 2 === 0 ? [] : toneNames)),
      )
      expect(new Set(answers).size).toBeGreaterThanOrEqual(3)
      for (const answer of answers) {
        expect(answer).not.toMatch(/[{}]|undefined|null/)
        expect(answer.trim()).not.toBe('')
      }
    },
  )
})
