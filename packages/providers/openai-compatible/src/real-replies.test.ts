import { type AnswerPart, collectAnswer } from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { asked, call, replyingWith } from './testing/ask-replying.ts'
import { endings } from './testing/real-endings.ts'
import { framings } from './testing/real-framings.ts'
import { responsesReplies } from './testing/real-responses.ts'
import { shapes } from './testing/real-shapes.ts'
import type { RealReply } from './testing/reply-builders.ts'

async function answerTo({ asked: kind, api, reply }: RealReply) {
  const { provider, upstream } = await replyingWith(reply, api && { dialect: { responses: true } })
  // Models that reason have the Responses API.
  const request = {
    ...asked,
    ...(api && { reasoning: { effort: 'low' as const }, native: { 'openai-responses': {} } }),
  }
  const answer =
    kind === 'whole' ? provider.generateText(request, call) : collectAnswer(provider.streamText(request, call))
  return { answer, upstream }
}

const textOf = (parts: readonly AnswerPart[], type: 'text' | 'reasoning') =>
  parts.map((part) => (part.type === type ? part.text : '')).join('')

const tables = { endings, framings, shapes, 'the Responses API': responsesReplies }

describe.each(Object.entries(tables))('a reply of a real server: %s', (_name, replies) => {
  const titled = (real: RealReply) => [real.asked, real.of, real.origin, real] as const
  const readable = replies.filter(({ answer }) => answer).map(titled)

  test.each(readable)(
    'a reply of a real server for a %s request is read, without a retry: %s (from %s)',
    async (_kind, _of, _origin, real) => {
      const { answer, upstream } = await answerTo(real)
      const { parts, finishReason, usage, warnings = [] } = await answer
      const { text, reasoning = '', calls = [], warns = false, ...facts } = real.answer!
      expect({
        text: textOf(parts, 'text'),
        reasoning: textOf(parts, 'reasoning'),
        calls: parts.flatMap((part) => (part.type === 'tool_call' ? [[part.name, part.inputText]] : [])),
        warns: warnings.some(({ field }) => field === null),
      }).toEqual({ text, reasoning, calls, warns })
      expect({ finishReason, completionTokens: usage?.completionTokens }).toMatchObject(facts)
      expect(upstream.requests).toHaveLength(1)
    },
  )
})

describe('a reply of a real server that cannot be read', () => {
  const failing = Object.values(tables)
    .flat()
    .filter(({ fails }) => fails)
    .map((real) => [real.asked, real.of, real.origin, real] as const)

  test.each(failing)(
    'a reply of a real server that cannot be read for a %s request fails with its reason: %s (from %s)',
    async (_kind, _of, _origin, real) => {
      await expect((await answerTo(real)).answer).rejects.toMatchObject(real.fails!)
    },
  )
})
