import { describe, expect, test } from 'vitest'
import { readBrief, slotsOf, withTopic } from './brief/brief.ts'
import { toneNames } from './brief/find-tones.ts'
import { type Voice, compose } from './grammar/compose.ts'
import { references } from './grammar/grammar.ts'
import { seededRandom } from './grammar/seeded-random.ts'
import type { ComposedKind } from './kind.ts'
import { loadKinds } from './load-kinds.ts'
import { recognize } from './recognize.ts'

const kinds = await loadKinds()
const composed = kinds.filter((kind): kind is ComposedKind => 'grammar' in kind)
const text = 'The river rose in the night. By morning the mill stood in water. Nobody had heard the bell.'

/** A request for each kind. */
const requests: Readonly<Record<string, string>> = {
  'answer from the text': `${text}\nWho heard the bell?`,
  FAQ: 'FAQ for a dog walking service',
  agenda: 'agenda for the weekly product meeting',
  announcement: 'announce our new mobile app',
  apology: 'apologize to a customer for the late delivery',
  bio: 'bio for Jane Doe, a marine biologist',
  'bullet points': `bullet points: ${text}`,
  'change of case': 'hello world in upper case',
  checklist: 'packing list for a camping trip',
  code: 'write a python script that renames files',
  complaint: 'complaint letter about a broken washing machine',
  congratulations: 'birthday message for my sister',
  continuation: 'The door opened and',
  'cover letter': 'cover letter for a barista job',
  dialogue: 'dialogue between a cat and a dog',
  email: 'email to Tom about the parking space',
  'e-mail reply': 'reply to this email: Could you send the price list? Regards, Ann',
  essay: 'blog post about friendship',
  explanation: 'explain photosynthesis',
  farewell: 'farewell email to my colleagues',
  facts: 'who invented the zip?',
  greeting: 'hello',
  haiku: 'haiku about rain',
  headline: 'headlines about electric cars',
  ideas: 'gift ideas for my brother',
  invitation: 'invite Ana to dinner on Friday',
  'job posting': 'job posting for a barista',
  keywords: `keywords of the following text: ${text}`,
  limerick: 'a limerick about a cat',
  math: '2+2?',
  'love letter': 'love letter to my wife',
  'meeting notes': 'meeting notes for the budget review',
  names: 'name ideas for a coffee shop',
  newsletter: 'newsletter for May',
  'out-of-office reply': 'out of office message until Monday',
  outline: 'outline for a talk on bees',
  plan: 'plan a trip to Lisbon',
  poem: 'poem about the sea',
  'product description': 'product description for a solar lantern',
  'pros and cons': 'pros and cons of remote work',
  questions: 'interview questions for a nurse',
  quote: 'a quote about patience',
  recipe: 'recipe for lentil soup',
  recommendation: 'a letter of recommendation for Julia',
  rejection: 'rejection email to a candidate',
  reminder: 'reminder about the rent',
  resignation: 'resignation letter',
  review: 'review of a coffee machine',
  rewriting: `rewrite politely: ${text}`,
  riddle: 'a riddle about the moon',
  'short text': 'write something about owls',
  shorten: `shorten this: ${text}`,
  slogan: 'slogan for a bakery',
  'social post': 'LinkedIn post about our new office',
  speech: 'toast for the wedding of my brother',
  story: 'story about a fox',
  summary: `summarize: ${text}`,
  'thank-you note': 'thank you note to Sam',
  tips: 'tips for better sleep',
  'title of a text': `title for this text: ${text}`,
  unclear: 'asdf',
  translation: 'translate hello to French',
}

function voice(seed: number, temperature: number, tones: readonly string[] = []): Voice {
  const sampling = { temperature, topP: 1, frequencyPenalty: 0, presencePenalty: 0, random: seededRandom(seed) }
  return { sampling, tones: new Set(tones), scale: 1 }
}

function slots(kind: ComposedKind) {
  const brief = withTopic(readBrief(requests[kind.name] ?? ''), kind.asks)
  return { ...slotsOf(brief, 'an open road'), ...kind.slots?.(brief, voice(1, 1)) }
}

describe('the kinds', () => {
  test('the kinds are at least 25 that compose', () => expect(composed.length).toBeGreaterThanOrEqual(25))

  test('the kinds have names of their own', () =>
    expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length))

  test('the kinds each have a request in this test', () => {
    expect(kinds.map(({ name }) => name).sort()).toEqual(Object.keys(requests).sort())
  })

  test.each(Object.entries(requests))('the kinds are told apart: %s', (name, request) => {
    expect(recognize(readBrief(request), kinds)?.name).toBe(name)
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
